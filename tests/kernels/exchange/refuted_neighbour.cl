// A work item reads its neighbour's slot before any barrier.
// launch: grid=4 block=64
__kernel void k(__global const int *in, __global int *out) {
  __local int s[64];
  int t = get_local_id(0);
  s[t] = in[get_global_id(0)];   // ~ HD0101
  out[get_global_id(0)] = s[(t + 1) & 63];
  barrier(CLK_LOCAL_MEM_FENCE);
}

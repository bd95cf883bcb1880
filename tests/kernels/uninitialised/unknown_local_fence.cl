// A barrier that fences global memory alone does not bring local memory to others.
// launch: passes=uninitialised-shared block=64 grid=any
__kernel void k(__global const int *in, __global int *out) {
  __local int s[64];
  int t = get_local_id(0);
  s[t] = in[get_group_id(0) * 64 + t];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_group_id(0) * 64 + t] = s[63 - t];   // ~ HD0002
}

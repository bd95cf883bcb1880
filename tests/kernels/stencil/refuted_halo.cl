// An OpenCL stencil writes the left halo to the slot of its own first element.
// launch: grid=any block=64
__kernel void k(__global const int *in, __global int *out) {
  __local int s[66];
  int t = get_local_id(0);
  size_t g = get_global_id(0) + 1;
  s[t + 1] = in[g];   // ~ HD0101
  if (t == 63)
    s[1] = in[g - 64];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = s[t] + s[t + 1];
}

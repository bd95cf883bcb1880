// An OpenCL stencil fills both halos from the first and the last work items.
// launch: grid=any block=64
__kernel void k(__global const int *in, __global int *out) {
  __local int s[66];
  int t = get_local_id(0);
  size_t g = get_global_id(0) + 1;
  s[t + 1] = in[g];
  if (t == 0)
    s[0] = in[g - 1];
  if (t == 63)
    s[65] = in[g + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = s[t] + s[t + 1] + s[t + 2];
}

// OpenCL demands that every work item of the group meets the barrier, also those past the end.
// launch: grid=1 block=64
__kernel void k(__global const int *in, __global int *out, int n) {
  __local int s[64];
  int t = get_local_id(0);
  if (t >= n)
    return;
  s[t] = in[t];
  barrier(CLK_LOCAL_MEM_FENCE);   // ~ HD0201
  out[t] = s[t];
}

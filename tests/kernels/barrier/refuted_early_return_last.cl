// OpenCL demands the last barrier of a kernel also of work items that have nothing left to do.
// launch: grid=1 block=64
__kernel void k(__global const int *in, __global int *out, int n) {
  int t = get_local_id(0);
  if (t < n) {
    int v = in[63 - t];
    barrier(CLK_LOCAL_MEM_FENCE);   // ~ HD0201
    out[t] = v;
  }
}

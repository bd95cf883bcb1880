// A barrier with the local flag does not order global memory.
// launch: grid=1 block=64
__kernel void k(__global int *a, __global int *out) {
  int t = get_local_id(0);
  a[t] = t;   // ~ HD0101
  barrier(CLK_LOCAL_MEM_FENCE);
  out[t] = a[63 - t];
}

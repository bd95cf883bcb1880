// A barrier with the global flag orders global memory.
// launch: grid=1 block=64
__kernel void k(__global int *a, __global int *out) {
  int t = get_local_id(0);
  a[t] = t;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[t] = a[63 - t];
}

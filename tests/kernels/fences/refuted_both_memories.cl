// Of the two memories that cross a barrier only the global one is named by its flag.
// launch: grid=1 block=64
__kernel void k(__global int *a, __global int *out, __local int *s) {
  int t = get_local_id(0);
  s[t] = t;   // ~ HD0101
  a[t] = t;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[t] = s[63 - t] + a[63 - t];
}

// The flag of a barrier is an argument to which the local flag is added.
// launch: grid=1 block=64
__kernel void k(__global int *out, __local int *s, uint flags) {
  int t = get_local_id(0);
  s[t] = t;
  barrier(flags | CLK_LOCAL_MEM_FENCE);
  out[t] = s[63 - t];
}

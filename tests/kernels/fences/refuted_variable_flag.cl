// The flag of a barrier is an argument and may leave out the memory that matters.
// launch: grid=1 block=64
__kernel void k(__global int *out, __local int *s, uint flags) {
  int t = get_local_id(0);
  s[t] = t;   // ~ HD0101
  barrier(flags);
  out[t] = s[63 - t];
}

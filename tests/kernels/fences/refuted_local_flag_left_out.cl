// A barrier without flags orders no memory at all.
// launch: grid=1 block=64
__kernel void k(__global int *out, __local int *s) {
  int t = get_local_id(0);
  s[t] = t;   // ~ HD0101
  barrier(0);
  out[t] = s[63 - t];
}

// Bits taken out by two shifts keep all of the index.
// launch: grid=1 block=64
kernel void k(global int *out, uint n) {
  uint t = get_local_id(0);
  out[(t << 26) >> 26] = t;
}

// Bits taken out by two shifts repeat every 32 work items.
// launch: grid=1 block=64
kernel void k(global int *out, uint n) {
  uint t = get_local_id(0);
  out[(t << 27) >> 27] = t;   // ~ HD0101
}

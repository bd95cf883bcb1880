// The loop that halves its counter runs once where there is no global offset, which the answer names.
// launch: grid=1 block=64
kernel void k(global uint *out) {
  uint offset = get_global_offset(0), t = get_local_id(0);
  uint n = offset == 64 ? 128 : 1;
  for (uint i = n; i != 0; i >>= 1) out[t * 2 + i % 64] = t;
}

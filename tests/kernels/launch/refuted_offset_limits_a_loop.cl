// With a global offset of 64 the loop runs into the places of the next work-items.
// launch: grid=1 block=64 global-offset=64
kernel void k(global uint *out) {
  uint offset = get_global_offset(0), t = get_local_id(0);
  uint n = offset == 64 ? 128 : 1;
  for (uint i = 0; i < n; i++) out[t * 64 + i] = t; // ~ HD0101
}

// The loop of each work-item ends in its first round where there is no global offset, which the answer names.
// launch: grid=1 block=64
kernel void k(global uint *out) {
  uint offset = get_global_offset(0), t = get_local_id(0);
  uint n = offset == 64 ? 128 : 1;
  for (uint i = 0; i < n; i++) out[t * 64 + i] = t;
}

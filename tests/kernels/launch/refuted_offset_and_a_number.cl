// An offset less one is no global id: where the offset is zero, it is the largest number.
// launch: grid=2 block=64 global-offset=any
kernel void k(global int *out) {
  size_t offset = get_global_offset(0);
  if (offset == 0)
    out[0] = get_local_id(0);  // ~ HD0101
  if (offset - 1 < 5)
    out[100] = 1;  // ~ HD0103
}

// The result of a scan, read by a neighbour at once.
// launch: grid=1 block=64
kernel void scan(global int *data) {
  size_t i = get_global_id(0);
  data[i] = sub_group_scan_inclusive_add(data[i]); // ~ HD0101
  data[i + 64] = data[(i + 1) % 64];
}

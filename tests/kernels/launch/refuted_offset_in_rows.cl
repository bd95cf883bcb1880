// An offset in y alone: rows by global ids are written where other groups read rows by their number.
// launch: grid=4,4 block=8,8 global-offset=0,8
kernel void k(global int *p) {
  int row = 8 * get_group_id(1) + get_local_id(1), column = get_global_id(0);
  p[get_global_id(1) * 32 + column] = p[row * 32 + column] + 1; // ~ HD0102
}

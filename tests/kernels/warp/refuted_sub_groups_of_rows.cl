// The neighbour's row, which another sub-group writes.
// launch: grid=1 block=8,8 warp-size=8
kernel void f(global int *out, local int *row) {
  int y = get_local_id(1);
  if (get_local_id(0) == 0) row[y] = y;  // ~ HD0101
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[8 * y + get_local_id(0)] = row[y ^ 1];
}

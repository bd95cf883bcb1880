// Items of one sub-group meet at its barrier: a smaller last group has other sub-groups.
// launch: grid=any block=8,8 warp-size=8
kernel void f(global int *out, local int *row) {
  int y = get_local_id(1);
  if (get_local_id(0) == 0) row[y] = y;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = row[y];
}

// A work-group reads by its number and writes by global ids: one and the same without a global offset, which is named.
// launch: grid=any block=64
kernel void k(global int *p) {
  local int mine[64];
  int l = get_local_id(0);
  mine[l] = p[64 * get_group_id(0) + (l ^ 1)];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  p[get_global_id(0)] = mine[l];
}

// With a global offset of eight groups, what eight groups write is none of what they read.
// launch: grid=8 block=64 global-offset=512
kernel void k(global int *p) {
  local int mine[64];
  int l = get_local_id(0);
  mine[l] = p[64 * get_group_id(0) + (l ^ 1)];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  p[get_global_id(0)] = mine[l];
}

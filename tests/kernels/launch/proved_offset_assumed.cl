// The program itself says that there is a global offset, of as many elements as all groups have.
// launch: grid=8 block=64
kernel void k(global int *p) {
  local int mine[64];
  int l = get_local_id(0);
  __builtin_assume(get_global_offset(0) == 512);
  mine[l] = p[64 * get_group_id(0) + (l ^ 1)];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  p[get_global_id(0)] = mine[l];
}

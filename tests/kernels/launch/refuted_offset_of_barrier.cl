// Only ids below 128 come to the barrier: with a global offset of 32 the second group is torn.
// launch: grid=2 block=64 global-offset=32
kernel void k(global int *p) {
  local int mine[64];
  int l = get_local_id(0);
  if (get_global_id(0) < 128) {
    mine[l] = p[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE); // ~ HD0201
    p[get_global_id(0)] = mine[63 - l];
  }
}

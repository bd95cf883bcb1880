// Only the first two groups come to the barrier, each as a whole: without a global offset.
// launch: grid=any block=64
kernel void k(global int *p) {
  local int mine[64];
  int l = get_local_id(0);
  if (get_global_id(0) < 128) {
    mine[l] = p[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[get_global_id(0)] = mine[63 - l];
  }
}

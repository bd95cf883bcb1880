// Elements three apart are written to a buffer for elements that stand side by side.
// launch: grid=1 block=64 check-bounds size=out=256
kernel void k(global int *restrict out) {
  local int a[64];
  int t = get_local_id(0);
  a[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_strided_copy(out, a, 64, 3, 0);  // ~ HD0301
  wait_group_events(1, &e);
}

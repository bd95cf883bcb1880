// All work-groups copy out to the same bytes.
// launch: grid=any block=64
kernel void k(global int *out) {
  local int s[64];
  s[get_local_id(0)] = get_group_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out, s, 64, 0);  // ~ HD0102
  wait_group_events(1, &e);
}

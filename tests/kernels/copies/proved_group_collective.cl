// All work-items decide alike, by a value that is one for the group.
// launch: grid=any block=64
kernel void k(global const float *restrict in, global float *restrict out, int n) {
  local float s[64];
  int t = get_local_id(0);
  event_t e = 0;
  if (get_group_id(0) < n) e = async_work_group_copy(s, in, n < 64 ? n : 64, 0);
  wait_group_events(1, &e);
  out[64 * get_group_id(0) + t] = t;
}

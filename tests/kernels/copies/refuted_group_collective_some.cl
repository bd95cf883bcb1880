// Half of the work-group copies.
// launch: grid=1 block=64
kernel void k(global const float *restrict in, global float *restrict out) {
  local float s[64];
  int t = get_local_id(0);
  event_t e = 0;
  if (t < 32) e = async_work_group_copy(s, in, 64, 0);  // ~ HD0106
  wait_group_events(1, &e);
  out[t] = t;
}

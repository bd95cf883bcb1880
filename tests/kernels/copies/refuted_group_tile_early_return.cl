// The group returns before the wait.
// launch: grid=1 block=64
kernel void k(global const float *restrict in, global float *restrict out, int n) {
  local float s[64]; int t = get_local_id(0);
  event_t e = async_work_group_copy(s, in, 64, 0);  // ~ HD0107
  if (n == 7) return;
  wait_group_events(1, &e);
  out[t] = s[t];
}

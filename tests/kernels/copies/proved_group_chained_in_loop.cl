// All copies of a loop share one event.
// launch: grid=1 block=64
kernel void k(global const float *restrict in, global float *restrict out, int n) {
  local float s[8 * 64];
  event_t e = 0;
  for (int i = 0; i < n && i < 8; i++) e = async_work_group_copy(s + 64 * i, in + 64 * i, 64, e);
  wait_group_events(1, &e);
  int t = get_local_id(0);
  for (int i = 0; i < n && i < 8; i++) out[64 * i + t] = s[64 * i + 63 - t];
}

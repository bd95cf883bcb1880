// Each work-item copies a row of its own, as if the copy were one of a single work-item.
// launch: grid=1 block=16
kernel void k(global const float *restrict in, global float *restrict out) {
  local float s[16 * 16];
  int t = get_local_id(0);
  event_t e = async_work_group_copy(s + 16 * t, in + 16 * t, 16, 0);  // ~ HD0106
  wait_group_events(1, &e);
  out[t] = s[t];
}

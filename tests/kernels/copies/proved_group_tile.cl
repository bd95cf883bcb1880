// A work-group copies its tile, waits for the event, and reads all of it.
// launch: grid=any block=64
kernel void k(global const float *restrict in, global float *restrict out) {
  local float s[64];
  int t = get_local_id(0);
  event_t e = async_work_group_copy(s, in + 64 * get_group_id(0), 64, 0);
  wait_group_events(1, &e);
  out[64 * get_group_id(0) + t] = s[63 - t];
}

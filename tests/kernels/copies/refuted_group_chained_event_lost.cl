// The second copy has an event of its own, which is lost.
// launch: grid=any block=64
kernel void k(global const float *restrict in, global const float *restrict with, global float *restrict out) {
  local float a[64], b[64];
  event_t e = async_work_group_copy(a, in + 64 * get_group_id(0), 64, 0);
  async_work_group_copy(b, with + 64 * get_group_id(0), 64, 0);  // ~ HD0107
  wait_group_events(1, &e);
  int t = get_local_id(0);
  out[64 * get_group_id(0) + t] = a[t] * b[t];  // ~ HD0105
}

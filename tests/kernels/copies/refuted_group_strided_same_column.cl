// Work-items write the column that is gathered.
// launch: grid=1 block=64
kernel void k(global float *m, global float *restrict out) {
  local float s[64];
  int t = get_local_id(0);
  event_t e = async_work_group_strided_copy(s, m + 1, 64, 4, 0);
  m[4 * t + 1] = t;  // ~ HD0105
  wait_group_events(1, &e);
  out[t] = s[63 - t];
}

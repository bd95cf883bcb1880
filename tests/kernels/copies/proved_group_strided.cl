// One column is gathered while work-items write the others.
// launch: grid=1 block=64
kernel void k(global float *m, global float *restrict out) {
  local float s[64];
  int t = get_local_id(0);
  event_t e = async_work_group_strided_copy(s, m + 1, 64, 4, 0);
  m[4 * t] = t;
  m[4 * t + 2] = t;
  wait_group_events(1, &e);
  out[t] = s[63 - t];
}

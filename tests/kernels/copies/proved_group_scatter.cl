// A column is scattered, and another one is read meanwhile.
// launch: grid=1 block=64
kernel void k(global float *m, global float *restrict out) {
  local float s[64];
  int t = get_local_id(0);
  s[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_strided_copy(m, s, 64, 2, 0);
  out[t] = m[2 * t + 1];
  wait_group_events(1, &e);
}

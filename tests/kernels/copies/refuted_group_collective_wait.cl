// One work-item waits.
// launch: grid=1 block=64
kernel void k(global const float *restrict in, global float *restrict out) {
  local float s[64];
  int t = get_local_id(0);
  event_t e = async_work_group_copy(s, in, 64, 0);
  if (t == 0) wait_group_events(1, &e);  // ~ HD0106
  barrier(CLK_LOCAL_MEM_FENCE);
  out[t] = t;
}

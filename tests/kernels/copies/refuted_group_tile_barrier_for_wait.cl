// A barrier does not wait for a copy.
// launch: grid=any block=64
kernel void k(global const float *restrict in, global float *restrict out) {
  local float s[64];
  int t = get_local_id(0);
  event_t e = async_work_group_copy(s, in + 64 * get_group_id(0), 64, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[64 * get_group_id(0) + t] = s[63 - t];  // ~ HD0105
  wait_group_events(1, &e);
}

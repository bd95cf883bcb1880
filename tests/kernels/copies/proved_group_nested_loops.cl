// An inner loop joins its copies to one event; the barrier ends the round.
// launch: grid=1 block=64
kernel void k(global const float *restrict in, global float *restrict out, int n) {
  local float s[8*64]; int t = get_local_id(0); float x = 0;
  for (int o = 0; o < n; o++) {
    event_t e = 0;
    for (int i = 0; i < 8; i++) e = async_work_group_copy(s + 64*i, in + 64*i, 64, e);
    wait_group_events(1, &e);
    x += s[511 - t];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[t] = x;
}

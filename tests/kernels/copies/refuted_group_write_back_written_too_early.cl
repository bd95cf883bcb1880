// The next round writes what the copy still reads.
// launch: grid=1 block=64
kernel void k(global const float *restrict in, global float *restrict out, int n) {
  local float s[64];
  int t = get_local_id(0);
  event_t e = 0;
  for (int i = 0; i < n; i++) {
    s[t] = in[64 * i + t] * 2;  // ~ HD0105
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + 64 * i, s, 64, e);
  }
  wait_group_events(1, &e);
}

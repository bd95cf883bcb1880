// The copy begins before all work-items have written what it reads.
// launch: grid=1 block=64
kernel void k(global const float *restrict in, global float *restrict out, int n) {
  local float s[64];
  int t = get_local_id(0);
  for (int i = 0; i < n; i++) {
    s[t] = in[64 * i + t] * 2;  // ~ HD0101
    event_t e = async_work_group_copy(out + 64 * i, s, 64, 0);
    wait_group_events(1, &e);
  }
}

// The events change places in another order than the tiles.
// launch: grid=1 block=64
kernel void k(global const float *restrict in, global float *restrict out, int n) {
  local float s[3][64]; int t = get_local_id(0); float x = 0;
  event_t a = async_work_group_copy(s[0], in, 64, 0);
  event_t b = async_work_group_copy(s[1], in + 64, 64, 0);  // ~ HD0107
  for (int i = 0; i < n; i++) {
    event_t c = async_work_group_copy(s[(i + 2) % 3], in + 64 * (i + 2), 64, 0);  // ~ HD0105
    wait_group_events(1, &a);
    x += s[i % 3][63 - t];  // ~ HD0105
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t z = a; a = c; b = z;
  }
  wait_group_events(1, &a); wait_group_events(1, &b);
  out[t] = x;
}

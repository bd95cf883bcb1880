// A ring of three tiles with an event each; the wait is for the event of the next tile.
// launch: grid=any block=64
kernel void k(global const float *restrict in, global float *restrict out, int tiles) {
  local float s[3][64];
  event_t e[3];
  int t = get_local_id(0);
  float sum = 0;
  for (int j = 0; j < 2; j++)
    if (j < tiles) e[j] = async_work_group_copy(s[j], in + 64 * j, 64, 0);  // ~ HD0107
  for (int i = 0; i < tiles; i++) {
    wait_group_events(1, &e[(i + 1) % 3]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i + 2 < tiles) e[(i + 2) % 3] = async_work_group_copy(s[(i + 2) % 3], in + 64 * (i + 2), 64, 0);  // ~ HD0105
    sum += s[i % 3][63 - t];  // ~ HD0105
  }
  out[64 * get_group_id(0) + t] = sum;
}

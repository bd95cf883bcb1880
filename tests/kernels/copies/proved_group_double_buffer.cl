// The next tile is under way while this one is computed; the barrier keeps the copy from a tile still in use.
// launch: grid=any block=64
kernel void k(global const float *restrict in, global float *restrict out, int tiles) {
  local float s[2][64];
  int t = get_local_id(0);
  float sum = 0;
  event_t e = async_work_group_copy(s[0], in, 64, 0);
  for (int i = 0; i < tiles; i++) {
    event_t next = 0;
    if (i + 1 < tiles) next = async_work_group_copy(s[(i + 1) & 1], in + 64 * (i + 1), 64, 0);
    wait_group_events(1, &e);
    sum += s[i & 1][63 - t];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = next;
  }
  wait_group_events(1, &e);
  out[64 * get_group_id(0) + t] = sum;
}

// Each round waits for the copy that it issued, not for the one that it reads: the first is never waited for.
// launch: grid=any block=64
kernel void k(global const float *restrict in, global float *restrict out, int tiles) {
  local float s[2][64];
  int t = get_local_id(0);
  float sum = 0;
  async_work_group_copy(s[0], in, 64, 0);  // ~ HD0107
  for (int i = 0; i < tiles; i++) {
    event_t next = async_work_group_copy(s[(i + 1) & 1], in + 64 * (i + 1), 64, 0);  // ~ HD0105
    wait_group_events(1, &next);
    sum += s[i & 1][63 - t];  // ~ HD0105
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[64 * get_group_id(0) + t] = sum;
}

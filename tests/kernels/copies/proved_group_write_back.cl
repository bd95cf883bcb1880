// Results are written to local memory, a barrier, and copied out; the next round's writes come after the wait and a barrier.
// launch: grid=1 block=64
kernel void k(global const float *restrict in, global float *restrict out, int n) {
  local float s[64];
  int t = get_local_id(0);
  for (int i = 0; i < n; i++) {
    s[t] = in[64 * i + t] * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out + 64 * i, s, 64, 0);
    wait_group_events(1, &e);
  }
}

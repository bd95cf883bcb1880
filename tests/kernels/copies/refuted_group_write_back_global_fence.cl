// The barrier before the copy orders global memory alone.
// launch: grid=1 block=64
kernel void k(global float *restrict out, int n) {
  local float s[64]; int t = get_local_id(0); s[t] = t;  // ~ HD0101
  barrier(CLK_GLOBAL_MEM_FENCE);
  event_t e = async_work_group_copy(out, s, 64, 0);
  wait_group_events(1, &e);
}

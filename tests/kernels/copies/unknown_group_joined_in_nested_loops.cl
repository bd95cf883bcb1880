// The event goes through two loops.
// launch: grid=1 block=64
kernel void k(global const float *restrict in, global float *restrict out, int n) {
  local float s[8*64]; int t = get_local_id(0); event_t e = 0;
  for (int o = 0; o < 4; o++)
    for (int i = 0; i < 2; i++) e = async_work_group_copy(s + 64*(2*o+i), in + 64*i, 64, e);  // ~ HD0002
  wait_group_events(1, &e);
  out[t] = s[511-t];  // ~ HD0002
}

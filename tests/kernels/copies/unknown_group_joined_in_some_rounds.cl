// Only some rounds copy: which event the variable holds then is not followed.
// launch: grid=1 block=64
kernel void k(global const float *restrict in, global float *restrict out, int n) {
  local float s[8*64]; event_t e = 0; int t = get_local_id(0);
  for (int i = 0; i < 8; i++) if (i & 1) e = async_work_group_copy(s + 64*i, in + 64*i, 64, e);  // ~ HD0002
  wait_group_events(1, &e);
  out[t] = s[64*3 + t];  // ~ HD0002
}

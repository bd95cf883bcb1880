// A stride that counts forwards gathers no element before the first one.
// launch: grid=1 block=64
kernel void k(global int *in, global int *restrict out, long s) {
  local int a[64];
  int t = get_local_id(0);
  event_t e = async_work_group_strided_copy(a, in + 63, 64, s, 0);
  if (s > 0 && s < 100 && t < 63) in[t] = 3;
  wait_group_events(1, &e);
  out[t] = a[t];
}

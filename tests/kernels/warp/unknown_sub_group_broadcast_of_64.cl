// The lane of number 40 has 40, in a sub-group of 64.
// launch: grid=1 block=64 warp-size=64
kernel void f(global int *out) {
  int value = sub_group_broadcast((int)get_local_id(0), 40);
  if (value != 40) out[0] = get_local_id(0);  // ~ HD0002
}

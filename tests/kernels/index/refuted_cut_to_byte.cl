// An id cut to eight bits is no index of its own: nothing is excluded of so few.
// launch: grid=8 block=64
kernel void bytes(global int *out) {
  uchar i = get_global_id(0);
  out[i] = get_global_id(0); // ~ HD0102
}

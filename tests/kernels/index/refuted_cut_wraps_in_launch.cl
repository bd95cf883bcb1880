// A product of 64 bits is cut, and wraps around in the launch that is given: that is no run to leave out.
// launch: grid=4 block=64
kernel void far(global int *out) {
  int i = get_global_id(0) * 67108864;
  if (get_local_id(0) == 0)
    out[i] = get_global_id(0); // ~ HD0102
}

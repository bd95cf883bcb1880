// An id cut to sixteen bits, in a grid that has no more.
// launch: grid=8 block=64
kernel void shorts(global int *out) {
  short i = get_global_id(0);
  out[i] = get_global_id(0);
}

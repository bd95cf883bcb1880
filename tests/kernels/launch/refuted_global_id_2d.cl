// Only the first of two global ids takes part in the index.
// launch: grid=1,2 block=64
__kernel void k(__global int *out) {
  out[get_global_id(0)] = get_global_id(1);   // ~ HD0102
}

// The global offset shifts all global ids and leaves them distinct.
// launch: grid=any block=any
__kernel void k(__global int *out) {
  out[get_global_id(0) - get_global_offset(0)] = get_local_id(0);
}

// Both global ids take part in an index whose pitch is the global size.
// launch: grid=4,4 block=16,16
__kernel void k(__global int *out) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_global_id(1);
}

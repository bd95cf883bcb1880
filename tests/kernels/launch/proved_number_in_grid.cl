// The number of a work item as an `int`, computed by hand: no grid has so many that it wraps around.
// launch: grid=any block=any
__kernel void k(__global int *out, int n) {
  int id = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (id < n) out[id] += 1;
}

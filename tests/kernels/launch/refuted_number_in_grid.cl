// The number of a work item lacks the size of a group.
// launch: grid=any block=any
__kernel void k(__global int *out, int n) {
  int id = get_group_id(0) + get_local_id(0);
  if (id < n) out[id] += 1; // ~ HD0102
}

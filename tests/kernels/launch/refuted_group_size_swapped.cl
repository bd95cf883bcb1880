// The number of the group and its size are swapped.
// launch: grid=any block=any
kernel void k(global int *o) {
  o[get_group_id(0) + get_local_size(0) * get_local_id(0)] = get_group_id(0); // ~ HD0102
}

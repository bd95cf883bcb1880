// The number of the group and the number of groups are in their places.
// launch: grid=any block=any
kernel void k(global int *o) {
  o[get_group_id(0) + get_num_groups(0) * get_local_id(0)] = get_group_id(0);
}

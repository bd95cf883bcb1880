// The size of the group is asked for: in OpenCL 2 the last group may be smaller, and the answer says that it is taken not to be.
// launch: grid=any block=any
kernel void k(global int *o) {
  o[get_group_id(0) * get_local_size(0) + get_local_id(0)] = get_local_id(0);
}

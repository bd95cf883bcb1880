// The launch counts groups: all are of one size.
// launch: grid=4 block=64
kernel void k(global int *o) {
  o[get_group_id(0) * get_local_size(0) + get_local_id(0)] = get_local_id(0);
}

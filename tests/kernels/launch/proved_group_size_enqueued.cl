// The size that the groups were launched with is the same in the last one.
// launch: grid=any block=any
kernel void k(global int *o) {
  o[get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0)] = get_local_id(0);
}

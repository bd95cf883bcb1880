// A global id is made of the size that the groups were launched with.
// launch: grid=any block=any
kernel void k(global int *o) {
  o[get_global_id(0)] = get_local_id(0);
}

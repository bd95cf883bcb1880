// More work-groups than 64 bits count, each of one row with a place of its own.
// launch: grid=4194303,4194303,4194303 block=1
kernel void k(global int *out) {
  if (get_group_id(1) == 0 && get_group_id(2) == 0)
    out[get_group_id(0)] = get_group_id(0);
}

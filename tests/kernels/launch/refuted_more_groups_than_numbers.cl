// More work-groups than 64 bits count, two of which write one place.
// launch: grid=4194303,4194303,4194303 block=1
kernel void k(global int *out) {
  if (get_group_id(1) == 0 && get_group_id(2) == 0)
    out[get_group_id(0) / 2] = get_group_id(0);  // ~ HD0102
}

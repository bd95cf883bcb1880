// The same slot, filled where both numbers are the same: one work-item of each sub-group at most.
// launch: grid=any block=64
kernel void f(global int *out, local int *slot) {
  if (get_sub_group_local_id() == get_sub_group_id())
    slot[get_sub_group_id()] = get_local_id(0);
}

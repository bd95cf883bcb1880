// The slot of a sub-group, which all its work-items fill: that they are in one sub-group does not keep them apart.
// launch: grid=any block=64
kernel void f(global int *out, local int *slot) {
  slot[get_sub_group_id()] = get_local_id(0); // ~ HD0002
}

// The same slot, in sub-groups of 32 along the linear index.
// launch: grid=any block=64 warp-size=32
kernel void f(global int *out, local int *slot) {
  slot[get_sub_group_id()] = get_local_id(0); // ~ HD0101
}

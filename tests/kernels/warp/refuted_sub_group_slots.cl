// The same slots, filled by two work-items of a sub-group with what each has.
// launch: grid=any block=64 warp-size=32
kernel void sums(global const int *in, global int *out, local int *part) {
  if (get_sub_group_local_id() < 2) part[get_sub_group_id()] = get_local_id(0); // ~ HD0101
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_sub_group_id()];
}

// The same slots, of sub-groups of 32 along the linear index.
// launch: grid=any block=64 warp-size=32
kernel void firsts(global const int *in, global int *out, local int *part) {
  if (get_sub_group_local_id() == 0) part[get_sub_group_id()] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_sub_group_id()];
}

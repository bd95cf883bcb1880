// The barrier of a sub-group orders global memory, and the array is in local memory.
// launch: grid=1 block=64 warp-size=32
kernel void k(global int *out) {
  local int s[64];
  int t = get_local_id(0);
  s[t] = t; // ~ HD0104
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[t] = s[t ^ 1];
}

// The barrier of a sub-group orders local memory, where the array is.
// launch: grid=1 block=64 warp-size=32
kernel void k(global int *out) {
  local int s[64];
  int t = get_local_id(0);
  s[t] = t;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[t] = s[t ^ 1];
}

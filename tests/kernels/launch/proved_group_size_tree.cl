// A tree over the group: in a smaller last group it sums less, and the answer says that there is none.
// launch: grid=any block=any
kernel void k(global int *o, local int *s) {
  int l = get_local_id(0);
  s[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = get_local_size(0) / 2; d > 0; d >>= 1) {
    if (l < d) s[l] += s[l + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) o[get_group_id(0)] = s[0];
}

// The barrier waits for the work group and orders memory for it.
// launch: grid=1 block=64
kernel void k(global int *out) {
  local int s[64];
  int t = get_local_id(0);
  s[t] = t;
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  out[t] = s[63 - t];
}

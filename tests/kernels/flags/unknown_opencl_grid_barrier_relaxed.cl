// The load that waits for all groups does not acquire.
// launch: grid=any block=any passes=races
__kernel void k(__global int *data, __global atomic_int *count, __global int *out) {
  int g = get_group_id(0), l = get_local_id(0), n = get_local_size(0), groups = get_num_groups(0);
  data[g * n + l] = g;   // ~ HD0002
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (l == 0) {
    atomic_fetch_add(count, 1);
    while (atomic_load_explicit(count, memory_order_relaxed, memory_scope_device) < groups) {
    }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[g * n + l] = data[(groups - 1 - g) * n + l];
}

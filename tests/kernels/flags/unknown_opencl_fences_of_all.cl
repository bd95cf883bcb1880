// Fences of all work-items do not order for the one that stores the flag.
// launch: grid=any block=any passes=races
__kernel void k(__global int *data, __global atomic_int *flag, __global int *out) {
  int g = get_group_id(0), l = get_local_id(0), n = get_local_size(0);
  data[g * n + l] = g;   // ~ HD0002
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (l == 0) atomic_store_explicit(&flag[g], 1, memory_order_relaxed, memory_scope_device);
  if (g > 0) {
    if (l == 0)
      while (atomic_load_explicit(&flag[g - 1], memory_order_relaxed, memory_scope_device) != 1) {
      }
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
    out[g * n + l] = data[(g - 1) * n + l];
  }
}

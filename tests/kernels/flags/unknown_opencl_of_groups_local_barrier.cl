// The barrier before the flag is of local memory.
// launch: grid=any block=any passes=races
__kernel void k(__global int *data, __global atomic_int *flag, __global int *out) {
  int g = get_group_id(0), l = get_local_id(0), n = get_local_size(0);
  data[g * n + l] = g;   // ~ HD0002
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    atomic_store_explicit(&flag[g], 1, memory_order_release, memory_scope_device);
  if (g > 0) {
    if (l == 0)
      while (atomic_load_explicit(&flag[g - 1], memory_order_acquire, memory_scope_device) != 1) {
      }
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g * n + l] = data[(g - 1) * n + l];
  }
}

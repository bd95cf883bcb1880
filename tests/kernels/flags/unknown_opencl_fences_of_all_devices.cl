// A fence for all devices has another scope than the flag.
// launch: grid=any block=any passes=races
__kernel void k(__global int *data, __global atomic_int *flag, __global int *out) {
  int g = get_group_id(0);
  if (get_local_id(0) == 0) {
    data[g] = g;   // ~ HD0002
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_all_svm_devices);
    atomic_store_explicit(&flag[g], 1, memory_order_relaxed, memory_scope_device);
    if (g > 0) {
      while (atomic_load_explicit(&flag[g - 1], memory_order_relaxed, memory_scope_device) != 1) {
      }
      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
      out[g] = data[g - 1];
    }
  }
}

// The flag is stored for the device and loaded for all devices.
// launch: grid=any block=any passes=races
__kernel void k(__global int *data, __global atomic_int *flag, __global int *out) {
  int g = get_group_id(0);
  if (get_local_id(0) == 0) {
    data[g] = g;
    atomic_store_explicit(&flag[g], 1, memory_order_release, memory_scope_device);  // ~ HD0102
    if (g > 0) {
      while (atomic_load_explicit(&flag[g - 1], memory_order_acquire, memory_scope_all_svm_devices) != 1) {
      }
      out[g] = data[g - 1];
    }
  }
}

// A lock is taken at the scope of the device and freed at that of all devices: in OpenCL neither includes the other.
// launch: grid=any block=1 passes=inter-block-race
__kernel void k(__global int *data, volatile __global atomic_int *lock) {
  while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device)) { // ~ HD0002
  }
  data[0] += 1; // ~ HD0002
  atomic_store_explicit(lock, 0, memory_order_release, memory_scope_all_svm_devices);
}

// Work-items add to one place at the scope of their work group, and to another at that of the device.
// launch: grid=1 block=64 passes=races
kernel void k(volatile global atomic_int *count, volatile global atomic_int *all) {
  atomic_fetch_add_explicit(count, 2, memory_order_relaxed, memory_scope_work_group);
  atomic_fetch_add_explicit(all, 1, memory_order_relaxed, memory_scope_device);
}

// One work-item adds at the scope of its work group, the others at that of the device: the two are no atomics for each other.
// launch: grid=1 block=64 passes=races
kernel void k(volatile global atomic_int *count) {
  if (get_local_id(0) == 0)
    atomic_fetch_add_explicit(count, 2, memory_order_relaxed, memory_scope_work_group);  // ~ HD0101
  else
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device);
}

// The same lock, which is given back without an order.
// launch: grid=any block=any passes=barrier-divergence,races
kernel void add(volatile global atomic_flag *lock, global int *sum) {
  if (get_local_id(0) == 0) {
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire, memory_scope_device));
    sum[0] += 1; // ~ HD0102
    atomic_flag_clear_explicit(lock, memory_order_relaxed, memory_scope_device);
  }
}

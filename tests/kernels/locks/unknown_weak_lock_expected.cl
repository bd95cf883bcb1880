// The expected value is left as it was where the weak exchange fails for nothing, and is tested instead of the result.
// launch: grid=4 block=1 passes=barrier-divergence,races
kernel void k(global atomic_int *lock, global int *sum) {
  int expected = 0;
  atomic_compare_exchange_weak_explicit(lock, &expected, 1, memory_order_acq_rel, memory_order_relaxed, memory_scope_device);
  if (expected == 0) {
    sum[0] += 1; // ~ HD0002
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
  }
}

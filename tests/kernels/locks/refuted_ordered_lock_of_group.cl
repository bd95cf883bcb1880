// The atomics of the lock are for the work group, the sum is for all.
// launch: grid=4 block=1 passes=barrier-divergence,races
kernel void k(global int *sum, global atomic_int *lock) {
  bool done = false;
  while (!done) {
    if (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_work_group) == 0) { // ~ HD0102
      sum[0] += 1; // ~ HD0102
      atomic_store_explicit(lock, 0, memory_order_release, memory_scope_work_group);
      done = true;
    }
  }
}

// The atomics of the lock are relaxed, and there is no fence.
// launch: grid=4 block=1 passes=barrier-divergence,races
kernel void k(global int *sum, global atomic_int *lock) {
  bool done = false;
  while (!done) {
    if (atomic_exchange_explicit(lock, 1, memory_order_relaxed, memory_scope_device) == 0) {
      sum[0] += 1; // ~ HD0102
      atomic_store_explicit(lock, 0, memory_order_relaxed, memory_scope_device);
      done = true;
    }
  }
}

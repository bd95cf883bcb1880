// Acquire and release of a lock in local memory order local memory only; the word is in global memory.
// launch: grid=1 block=64 passes=barrier-divergence,races
kernel void k(global int *sum) {
  local atomic_int lock;
  if (get_local_id(0) == 0) atomic_init(&lock, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  bool done = false;
  while (!done) {
    if (atomic_exchange_explicit(&lock, 1, memory_order_acquire, memory_scope_work_group) == 0) {
      sum[0] += 1; // ~ HD0002
      atomic_store_explicit(&lock, 0, memory_order_release, memory_scope_work_group);
      done = true;
    }
  }
}

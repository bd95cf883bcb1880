// The barrier before the lock is freed is of local memory.
// launch: grid=any block=any passes=races
__kernel void k(__global int *data, volatile __global atomic_int *lock) {
  int l = get_local_id(0);
  if (l == 0)
    while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device)) {
    }
  barrier(CLK_GLOBAL_MEM_FENCE);
  data[l] += 1; // ~ HD0002
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}

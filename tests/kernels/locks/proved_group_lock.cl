// The first work-item takes a lock for its group.
// launch: grid=any block=any passes=races
__kernel void k(__global int *data, volatile __global atomic_int *lock) {
  int l = get_local_id(0);
  if (l == 0)
    while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device)) {
    }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  data[l] += 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (l == 0) atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}

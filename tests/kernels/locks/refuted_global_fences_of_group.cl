// The same lock with fences for the work-group alone.
// launch: grid=any block=any passes=barrier-divergence,races
kernel void add(volatile global atomic_int *lock, global int *sum, global const int *in) {
  if (get_local_id(0) == 0) {
    while (atomic_exchange_explicit(lock, 1, memory_order_relaxed, memory_scope_device));
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum[0] += in[get_group_id(0)]; // ~ HD0102
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_store_explicit(lock, 0, memory_order_relaxed, memory_scope_device);
  }
}

// The same lock between fences for local memory, which order nothing of what is global.
// launch: grid=any block=any passes=barrier-divergence,races
kernel void add(volatile global atomic_int *lock, global int *sum, global const int *in) {
  if (get_local_id(0) == 0) {
    while (atomic_exchange_explicit(lock, 1, memory_order_relaxed, memory_scope_device));
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    sum[0] += in[get_group_id(0)]; // ~ HD0002
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_device);
    atomic_store_explicit(lock, 0, memory_order_relaxed, memory_scope_device);
  }
}

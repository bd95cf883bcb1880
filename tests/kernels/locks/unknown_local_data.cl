// A lock in global memory for what a work-group has in local memory: fences for global memory are none for that.
// launch: grid=any block=64 passes=intra-block-race
kernel void add(volatile global atomic_int *lock, global int *out) {
  local int sum;
  if (get_local_id(0) % 32 == 0) {
    while (atomic_exchange_explicit(lock, 1, memory_order_relaxed, memory_scope_device));
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    sum += get_local_id(0); // ~ HD0002
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    atomic_store_explicit(lock, 0, memory_order_relaxed, memory_scope_device);
  }
}

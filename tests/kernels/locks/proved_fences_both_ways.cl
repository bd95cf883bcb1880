// The same lock between fences that go both ways.
// launch: grid=any block=any passes=barrier-divergence,races
kernel void add(volatile global atomic_int *lock, global int *sum, global const int *in) {
  if (get_local_id(0) == 0) {
    while (atomic_exchange_explicit(lock, 1, memory_order_relaxed, memory_scope_device));
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    sum[0] += in[get_group_id(0)];
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    atomic_store_explicit(lock, 0, memory_order_relaxed, memory_scope_device);
  }
}

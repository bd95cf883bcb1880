// A work group's lock in local memory, with fences for the device, guards a word of all work groups.
// launch: grid=4 block=64 passes=barrier-divergence,races
#define FENCE atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
kernel void k(global int *sum, volatile local int *lock) {
  if (get_local_id(0) == 0) *lock = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  bool done = false;
  while (!done) {
    if (atomic_cmpxchg(lock, 0, 1) == 0) {
      FENCE;
      sum[0] += 1; // ~ HD0102
      FENCE;
      atomic_xchg(lock, 0);
      done = true;
    }
  }
}

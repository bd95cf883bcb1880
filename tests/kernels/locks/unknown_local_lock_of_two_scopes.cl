// A lock in local memory is taken at the scope of the work group and freed at that of the device: in OpenCL neither includes the other.
// launch: grid=4 block=64 passes=barrier-divergence,races
kernel void k(global int *sum) {
  local atomic_int lock;
  local int inside;
  if (get_local_id(0) == 0) {
    atomic_init(&lock, 0);
    inside = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  bool done = false;
  while (!done) {
    if (atomic_exchange_explicit(&lock, 1, memory_order_acquire, memory_scope_work_group) == 0) { // ~ HD0002
      inside += 1; // ~ HD0002
      atomic_store_explicit(&lock, 0, memory_order_release, memory_scope_device);
      done = true;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) sum[get_group_id(0)] = inside;
}

// A lock of OpenCL's flags: taken by test and set, given back by clear.
// launch: grid=any block=any passes=barrier-divergence,races
kernel void add(volatile global atomic_flag *lock, global int *sum) {
  if (get_local_id(0) == 0) {
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire, memory_scope_device));
    sum[0] += 1;
    atomic_flag_clear_explicit(lock, memory_order_release, memory_scope_device);
  }
}

// A lock of the device whose atomics have the strongest order, which is what OpenCL gives those that name none.
// launch: grid=4 block=64 passes=barrier-divergence,races
kernel void k(global int *sum, global atomic_int *lock) {
  bool done = false;
  while (!done) {
    if (atomic_exchange(lock, 1) == 0) {
      sum[0] += 1;
      atomic_store(lock, 0);
      done = true;
    }
  }
}

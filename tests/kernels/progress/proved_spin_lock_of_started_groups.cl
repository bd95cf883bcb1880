// A lock where work-groups that have started keep running, which the user says of the device.
// launch: grid=3 block=64 passes=progress assume-progress=obe
kernel void k(global volatile int *lock, global int *data) {
  if (get_local_id(0) == 0) {
    while (atomic_cmpxchg(lock, 0, 1) != 0) {}   // ~ HD0501
    data[0] += 1;
    atomic_xchg(lock, 0);
  }
}

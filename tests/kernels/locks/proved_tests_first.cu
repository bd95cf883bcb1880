// The lock is looked at before it is tried.
// launch: grid=any block=1 passes=races
__global__ void k(int *data, int *lock) {
  for (;;) {
    while (*(volatile int *)lock != 0) {
    }
    if (atomicCAS(lock, 0, 1) == 0) break;
    __nanosleep(100);
  }
  __threadfence();
  data[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}

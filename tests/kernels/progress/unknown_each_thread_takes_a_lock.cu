// Each thread of a block takes the lock: they need not run in step, and a block is followed as one thread.
// launch: grid=3 block=64 passes=progress
__global__ void k(int *lock, int *data) {
  while (atomicCAS(lock, 0, 1) != 0) {}   // ~ HD0002
  data[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}

// After a hundred attempts the thread goes on without the lock.
// launch: grid=4 block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(int *word) {
  for (int i = 0; i < 100; i++)
    if (atomicCAS(&lock, 0, 1) == 0) break;
  __threadfence();
  word[0] += 1; // ~ HD0102
  __threadfence();
  atomicExch(&lock, 0);
}

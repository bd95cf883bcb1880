// The lock is tried, and nobody asks whether it was taken.
// launch: grid=4 block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(int *word) {
  atomicCAS(&lock, 0, 1);
  __threadfence();
  word[0] += 1; // ~ HD0102
  __threadfence();
  atomicExch(&lock, 0);
}

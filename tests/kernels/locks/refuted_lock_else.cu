// Those who did not get the lock change the word all the same.
// launch: grid=4 block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(int *word) {
  if (atomicCAS(&lock, 0, 1) == 0) {
    __threadfence();
    word[0] += 1;
    __threadfence();
    atomicExch(&lock, 0);
  } else {
    word[0] += 2; // ~ HD0102
  }
}

// Those who did not get the lock go in, and release it.
// launch: grid=4 block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(int *word) {
  if (atomicCAS(&lock, 0, 1) != 0) {
    __threadfence();
    word[0] += 1; // ~ HD0002
    __threadfence();
    atomicExch(&lock, 0);
  }
}

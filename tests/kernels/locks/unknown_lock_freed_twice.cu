// The second release may free a lock that another thread holds by then.
// launch: grid=4 block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(int *word) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  word[0] += 1; // ~ HD0002
  __threadfence();
  atomicExch(&lock, 0);
  atomicExch(&lock, 0);
}

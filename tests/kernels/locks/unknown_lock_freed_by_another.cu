// The first thread of the block releases the lock, whether it has it or not.
// launch: grid=4 block=64 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(int *word) {
  if (atomicCAS(&lock, 0, 1) == 0) {
    __threadfence();
    word[0] += 1; // ~ HD0002
    __threadfence();
  }
  if (threadIdx.x == 0) atomicExch(&lock, 0);
}

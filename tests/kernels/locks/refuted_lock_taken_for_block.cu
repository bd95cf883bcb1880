// The lock is taken by an atomic that is one for the block only, and the word is of all blocks.
// launch: grid=4 block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(int *word) {
  while (atomicCAS_block(&lock, 0, 1) != 0) { // ~ HD0102
  }
  __threadfence();
  word[0] += 1; // ~ HD0102
  __threadfence();
  atomicExch(&lock, 0);
}

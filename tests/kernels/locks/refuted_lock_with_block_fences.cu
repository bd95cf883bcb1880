// The fences are for the block only, the lock is for all blocks.
// launch: grid=any block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(float *sum, const float *in) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence_block();
  *sum += in[blockIdx.x]; // ~ HD0102
  __threadfence_block();
  atomicExch(&lock, 0);
}

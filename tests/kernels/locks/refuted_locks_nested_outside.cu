// The word of all blocks is changed once more after the inner lock was released, under a lock of the block's own.
// launch: grid=4 block=1 passes=barrier-divergence,races
__device__ int outer[64], inner;
__global__ void k(int *b) {
  while (atomicCAS(&outer[blockIdx.x], 0, 1) != 0) {
  }
  __threadfence();
  while (atomicCAS(&inner, 0, 1) != 0) {
  }
  __threadfence();
  b[0] += 1; // ~ HD0102
  __threadfence();
  atomicExch(&inner, 0);
  b[0] += 1; // ~ HD0102
  __threadfence();
  atomicExch(&outer[blockIdx.x], 0);
}

// Blocks take turns at a sum: a spin lock with a fence behind it, and one before it is released.
// launch: grid=any block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(float *sum, const float *in) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += in[blockIdx.x];
  __threadfence();
  atomicExch(&lock, 0);
}

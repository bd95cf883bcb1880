// Nothing makes the sum visible before the lock is released.
// launch: grid=any block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(float *sum, const float *in) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += in[blockIdx.x]; // ~ HD0102
  atomicExch(&lock, 0);
}

// Nothing keeps the read of the sum behind the acquire.
// launch: grid=any block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(float *sum, const float *in) {
  while (atomicExch(&lock, 1) != 0) {
  }
  *sum += in[blockIdx.x]; // ~ HD0102
  __threadfence();
  atomicExch(&lock, 0);
}

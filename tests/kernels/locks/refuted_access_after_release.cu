// The sum is changed once more when the lock has been released.
// launch: grid=any block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(float *sum, const float *in) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += in[blockIdx.x]; // ~ HD0102
  __threadfence();
  atomicExch(&lock, 0);
  *sum += 1; // ~ HD0102
}

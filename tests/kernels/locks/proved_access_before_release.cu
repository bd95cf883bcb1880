// The sum is changed twice while the lock is held.
// launch: grid=any block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(float *sum, const float *in) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += in[blockIdx.x];
  *sum += 1;
  __threadfence();
  atomicExch(&lock, 0);
}

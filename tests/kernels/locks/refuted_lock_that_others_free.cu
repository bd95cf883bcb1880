// A thread that does not have the lock releases it.
// launch: grid=any block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(float *sum, const float *in, int n) {
  if (n > 7) atomicExch(&lock, 0);
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += in[blockIdx.x]; // ~ HD0102
  __threadfence();
  atomicExch(&lock, 0);
}

// Four words are written under one predicate; the last of them before the lock is taken.
// launch: grid=any block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(float *state, const float *in) {
  state[3] = in[blockIdx.x]; // ~ HD0102
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  state[0] = in[blockIdx.x];
  state[1] = in[blockIdx.x];
  state[2] = in[blockIdx.x];
  __threadfence();
  atomicExch(&lock, 0);
}

// Four words are written while the lock is held.
// launch: grid=any block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(float *state, const float *in) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  state[0] = in[blockIdx.x];
  state[1] = in[blockIdx.x];
  state[2] = in[blockIdx.x];
  state[3] = in[blockIdx.x];
  __threadfence();
  atomicExch(&lock, 0);
}

// Each arm of a branch that a block takes as one has a barrier of its own.
// launch: grid=any block=64 passes=barrier-divergence
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (blockIdx.x < 32) {
    __syncthreads();
    out[blockIdx.x * 64 + t] = 1;
  } else {
    out[blockIdx.x * 64 + t] = 2;
    __syncthreads();
  }
}

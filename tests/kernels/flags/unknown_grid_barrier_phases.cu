// A counter counts the blocks of each round on.
// launch: grid=any block=any passes=races
__global__ void k(int *data, unsigned *count, int *out) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (unsigned round = 1; round < 4; round++) {
    data[i] = round;   // ~ HD0002
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicAdd(count, 1);
      while (*(volatile unsigned *)count < round * gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
    out[i] = data[t];
  }
}

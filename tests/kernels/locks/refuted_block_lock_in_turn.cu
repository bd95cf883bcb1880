// The tile that is written is the next one.
// launch: grid=any block=any passes=races
__global__ void k(float *c, int *lock, int tiles) {
  int t = threadIdx.x;
  for (int i = blockIdx.x; i < 8 * tiles; i += gridDim.x) {
    int tile = i % tiles;
    if (t == 0) {
      while (atomicExch(&lock[tile], 1) != 0) {
      }
      __threadfence();
    }
    __syncthreads();
    for (int j = t; j < 256; j += blockDim.x) c[(tile + 1) % 2 * 256 + j] += 1.0f; // ~ HD0102
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(&lock[tile], 0);
    }
  }
}

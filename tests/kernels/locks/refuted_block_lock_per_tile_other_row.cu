// The row that is written is that of two tiles.
// launch: grid=any block=any passes=races
__global__ void k(float *c, int *lock, int tiles) {
  int tile = blockIdx.x % tiles, t = threadIdx.x;
  if (t == 0)
    while (atomicExch(&lock[tile], 1) == 1) {
    }
  __syncthreads();
  __threadfence();
  c[tile / 2 * blockDim.x + t] += 1.0f; // ~ HD0102
  __threadfence();
  __syncthreads();
  if (t == 0) atomicExch(&lock[tile], 0);
}

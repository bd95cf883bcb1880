// All threads fence, and a block has the lock of its tile.
// launch: grid=any block=any passes=races
__global__ void k(float *c, int *lock, int tiles) {
  int tile = blockIdx.x % tiles, t = threadIdx.x;
  if (t == 0)
    while (atomicExch(&lock[tile], 1) == 1) {
    }
  __syncthreads();
  __threadfence();
  c[tile * blockDim.x + t] += 1.0f;
  __threadfence();
  __syncthreads();
  if (t == 0) atomicExch(&lock[tile], 0);
}

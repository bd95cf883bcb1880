// Threads do not fence before the barrier after which their block frees the lock.
// launch: grid=any block=any passes=races
__global__ void k(float *c, int *lock, int tiles) {
  int tile = blockIdx.x % tiles, t = threadIdx.x;
  if (t == 0)
    while (atomicExch(&lock[tile], 1) == 1) {
    }
  __syncthreads();
  __threadfence();
  c[tile * blockDim.x + t] += 1.0f; // ~ HD0102
  __syncthreads();
  if (t == 0) atomicExch(&lock[tile], 0);
}

// Who takes the lock with one does not see that another has it with two.
// launch: grid=any block=any passes=races
__global__ void k(float *c, int *lock, int tiles) {
  int tile = blockIdx.x % tiles, t = threadIdx.x;
  if (t == 0)
    while (blockIdx.x % 2 ? atomicExch(&lock[tile], 1) == 1 : atomicExch(&lock[tile], 2) == 2) {
    }
  __syncthreads();
  __threadfence();
  c[tile * blockDim.x + t] += 1.0f; // ~ HD0102
  __threadfence();
  __syncthreads();
  if (t == 0) atomicExch(&lock[tile], 0);
}

// The last slice sets the semaphore back for the next launch.
// launch: grid=any,any block=any passes=races
__global__ void k(float *c, int *sem, const float *part) {
  int tile = blockIdx.x, z = blockIdx.y;
  if (threadIdx.x == 0)
    while (*(volatile int *)&sem[tile] != z) {}
  __syncthreads();
  __threadfence();
  c[tile * blockDim.x + threadIdx.x] += part[(z * gridDim.x + tile) * blockDim.x + threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *(volatile int *)&sem[tile] = z + 1 == gridDim.y ? 0 : z + 1;
}

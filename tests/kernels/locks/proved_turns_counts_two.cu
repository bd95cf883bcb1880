// The semaphore counts on by two.
// launch: grid=any,any block=any passes=races
__global__ void k(float *c, int *sem, const float *part, int tiles) {
  int tile = blockIdx.x, z = blockIdx.y;
  if (threadIdx.x == 0)
    while (*(volatile int *)&sem[tile] != z) {
    }
  __syncthreads();
  __threadfence();
  float v = part[(z * gridDim.x + tile) * blockDim.x + threadIdx.x];
  if (z == 0)
    c[tile * blockDim.x + threadIdx.x] = v;
  else
    c[tile * blockDim.x + threadIdx.x] += v;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *(volatile int *)&sem[tile] = z + 2;
}

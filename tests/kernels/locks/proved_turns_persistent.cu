// Blocks go over all tiles, and add to each in turn.
// launch: grid=any block=any passes=races
__global__ void k(float *c, int *sem, const float *part, int tiles, int splits) {
  int t = threadIdx.x, z = blockIdx.x;
  for (int tile = 0; tile < tiles; tile++) {
    float v = part[(z * tiles + tile) * blockDim.x + t];
    if (t == 0)
      while (*(volatile int *)&sem[tile] != z) {}
    __syncthreads();
    __threadfence();
    if (z == 0) c[tile * blockDim.x + t] = v; else c[tile * blockDim.x + t] += v;
    __threadfence();
    __syncthreads();
    if (t == 0) *(volatile int *)&sem[tile] = z + 1;
  }
}

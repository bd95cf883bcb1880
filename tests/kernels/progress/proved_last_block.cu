// The block that counts last adds up what the others left: nobody waits.
// launch: grid=3 block=64
__global__ void k(int *partial, unsigned *count, int *total) {
  if (threadIdx.x == 0) {
    atomicExch(&partial[blockIdx.x], blockIdx.x);
    if (atomicAdd(count, 1) == gridDim.x - 1) {
      int sum = 0;
      for (int b = 0; b < gridDim.x; ++b) sum += atomicAdd(&partial[b], 0);
      atomicExch(total, sum);
    }
  }
}

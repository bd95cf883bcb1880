// Each block waits for the one above it, and there is none.
// launch: grid=1 block=64
__global__ void k(int *status) {
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x) while (atomicAdd(&status[blockIdx.x + 1], 0) == 0) {}
    atomicExch(&status[blockIdx.x], 1);
  }
}

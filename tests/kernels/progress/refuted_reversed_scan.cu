// Each block waits for the one above it.
// launch: grid=3 block=64
__global__ void k(int *status) {
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x) while (atomicAdd(&status[blockIdx.x + 1], 0) == 0) {}   // ~ HD0501
    atomicExch(&status[blockIdx.x], 1);
  }
}

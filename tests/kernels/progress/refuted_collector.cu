// Block 0 waits for all the others.
// launch: grid=3 block=64
__global__ void k(int *done) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int b = 1; b < gridDim.x; ++b) while (atomicAdd(&done[b], 0) == 0) {}   // ~ HD0501
  } else {
    atomicExch(&done[blockIdx.x], 1);
  }
}

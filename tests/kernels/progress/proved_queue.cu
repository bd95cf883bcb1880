// Blocks take items off a queue; each item waits for the one before.
// launch: grid=3 block=64
__global__ void k(int *head, int *done) {
  __shared__ int item;
  while (true) {
    if (threadIdx.x == 0) item = atomicAdd(head, 1);
    __syncthreads();
    int i = item;
    if (i >= 4) break;
    if (threadIdx.x == 0) {
      if (i > 0) while (atomicAdd(&done[i - 1], 0) == 0) {}   // ~ HD0501
      atomicExch(&done[i], 1);
    }
    __syncthreads();
  }
}

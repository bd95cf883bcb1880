// Each block waits for the one that took the ticket before, which has started.
// launch: grid=3 block=64
__global__ void k(unsigned *ticket, int *status) {
  __shared__ int tile;
  if (threadIdx.x == 0) tile = atomicAdd(ticket, 1);
  __syncthreads();
  int t = tile;
  if (threadIdx.x == 0) {
    if (t > 0) while (atomicAdd(&status[t - 1], 0) == 0) {}   // ~ HD0501
    atomicExch(&status[t], 1);
  }
}

// The thread whose ticket is that of the first one is the first one, and there is one block.
// launch: grid=1 block=64
__global__ void k(unsigned *counter, int *out) {
  __shared__ unsigned of_first;
  unsigned slot = atomicAdd(counter, 1u);
  if (threadIdx.x == 0)
    of_first = slot;
  __syncthreads();
  if (slot == of_first)
    out[0] = threadIdx.x;
}

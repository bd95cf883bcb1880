// The first thread publishes its ticket, and the second stores at it too: both mean the ticket of one thread.
// launch: grid=1 block=64
__global__ void k(unsigned *counter, int *out) {
  __shared__ unsigned of_first;
  unsigned slot = atomicAdd(counter, 1u);
  if (threadIdx.x == 0)
    of_first = slot;
  __syncthreads();
  if (threadIdx.x < 2)
    out[threadIdx.x == 0 ? slot : of_first] = threadIdx.x;   // ~ HD0101
}

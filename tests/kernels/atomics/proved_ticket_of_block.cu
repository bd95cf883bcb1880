// The first thread of each block draws slots for all of it.
// launch: grid=8 block=64
__global__ void k(unsigned *counter, int *out) {
  __shared__ unsigned first;
  if (threadIdx.x == 0)
    first = atomicAdd(counter, 64u);
  __syncthreads();
  out[first + threadIdx.x] = threadIdx.x;
}

// Each block counts in its own shared memory, and all store in one array.
// launch: grid=2 block=1
__global__ void k(int *out) {
  __shared__ unsigned counter;
  if (threadIdx.x == 0)
    counter = 0;
  __syncthreads();
  unsigned slot = atomicAdd(&counter, 1u);
  out[slot] = blockIdx.x;   // ~ HD0102
}

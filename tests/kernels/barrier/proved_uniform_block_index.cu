// A barrier under a condition on the block index is met by all threads of a block or by none.
// launch: grid=any block=any
__global__ void k(int *out) {
  size_t g = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  out[g] = threadIdx.x;
  if (blockIdx.x % 2 == 0)
    __syncthreads();
}

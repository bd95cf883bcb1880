// A barrier under a condition on a parameter is met by all threads of a block or by none.
// launch: grid=any block=any
__global__ void k(int *out, int wait) {
  size_t g = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  out[g] = threadIdx.x;
  if (wait > 3)
    __syncthreads();
  out[g] += 1;
}

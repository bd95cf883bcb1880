// Each block has its range in shared memory, and the ranges of two blocks may overlap.
// launch: grid=2 block=64
__global__ void k(int *out, const int *start) {
  __shared__ int first;
  if (threadIdx.x == 0)
    first = start[blockIdx.x];
  __syncthreads();
  out[first + threadIdx.x] = blockIdx.x; // ~ HD0102
}

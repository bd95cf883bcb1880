// A count in shared memory is read at several places after all additions: one number, for all threads.
// launch: grid=any block=any
__global__ void k(int *out, const int *in, int n) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (in[blockIdx.x * blockDim.x + threadIdx.x] > 0)
    atomicAdd(&count, 1);
  __syncthreads();
  if (count > 5)
    __syncthreads();
  if (threadIdx.x == count)
    out[blockIdx.x] = 1;
  if (count == 0 && threadIdx.x == 0)
    out[blockIdx.x] = 2;
}

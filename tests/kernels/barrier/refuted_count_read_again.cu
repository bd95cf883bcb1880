// A count in shared memory is read before and after the threads of the block count: two numbers.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int before = count;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == before)
    out[0] = 1; // ~ HD0101
  if (threadIdx.x + 1 == count)
    out[0] = 2;
}

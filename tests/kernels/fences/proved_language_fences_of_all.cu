// Each thread fences by the language, the first one draws a ticket, and after a barrier each fences again.
// launch: grid=4 block=64
__global__ void k(const int *in, int *partial, int *out, unsigned *count) {
  __shared__ bool last;
  partial[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x];
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += partial[b * blockDim.x + threadIdx.x];
    out[threadIdx.x] = sum;
  }
}

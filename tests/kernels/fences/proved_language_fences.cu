// The fences are those of the language, around a ticket.
// launch: grid=4 block=1
__device__ unsigned count;
__global__ void k(const int *in, int *partial, int *out) {
  partial[blockIdx.x] = in[blockIdx.x];
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
  if (atomicAdd(&count, 1) == gridDim.x - 1) {
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += partial[b];
    out[0] = sum;
  }
}

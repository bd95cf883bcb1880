// An acquire stands where a release is needed.
// launch: grid=4 block=1
__device__ unsigned count;
__global__ void k(const int *in, int *partial, int *out) {
  partial[blockIdx.x] = in[blockIdx.x];   // ~ HD0102
  __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  if (atomicAdd(&count, 1) == gridDim.x - 1) {
    __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += partial[b];
    out[0] = sum;
  }
}

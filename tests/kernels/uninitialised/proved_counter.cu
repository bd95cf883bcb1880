// A counter in shared memory is zeroed before it counts.
// launch: passes=uninitialised-shared block=128 grid=any
__global__ void k(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}

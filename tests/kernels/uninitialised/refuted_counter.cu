// Nobody zeroed the counter.
// launch: passes=uninitialised-shared block=128 grid=1
__global__ void k(int *out) {
  __shared__ int count;
  atomicAdd(&count, 1);   // ~ HD0302
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// The first thread clears a flag that others may set.
// launch: passes=uninitialised-shared block=any grid=any
__global__ void k(const int *in, int *out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[blockIdx.x * blockDim.x + threadIdx.x] == 7) found = 1;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = found;
}

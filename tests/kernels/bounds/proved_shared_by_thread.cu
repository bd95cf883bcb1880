// A block has as many threads as the shared array has elements.
// launch: grid=2 block=64 check-bounds
__global__ void k(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}

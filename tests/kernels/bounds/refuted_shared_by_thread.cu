// A block has one thread more than the shared array has elements.
// launch: grid=2 block=65 check-bounds
__global__ void k(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x; // ~ HD0301
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

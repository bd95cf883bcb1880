// All threads count in a managed variable.
// launch: grid=any block=64
__managed__ int sum;
__global__ void k(const int *in) {
  sum += in[blockIdx.x * blockDim.x + threadIdx.x];   // ~ HD0101
}

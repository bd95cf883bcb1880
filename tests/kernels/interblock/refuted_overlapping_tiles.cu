// Blocks of 64 threads are placed 60 elements apart and write the overlap twice.
// launch: grid=any block=64 assume="gridDim.x <= 65535"
__global__ void k(const int *in, int *out) {
  int g = blockIdx.x * 60 + threadIdx.x;
  out[g] = in[g] + threadIdx.x;   // ~ HD0102
}

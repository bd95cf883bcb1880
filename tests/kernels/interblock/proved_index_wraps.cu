// A flat index of 64 bits does not wrap around for any grid.
// launch: grid=4194305 block=1024
__global__ void k(const int *in, int *out) {
  size_t g = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  out[g] = in[blockIdx.x];
}

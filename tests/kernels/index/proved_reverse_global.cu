// Indices counted from the end are as distinct as those counted from the start.
// launch: grid=any block=any
__global__ void k(const int *in, int *out) {
  size_t n = (size_t)gridDim.x * blockDim.x, g = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  out[n - 1 - g] = in[g];
}

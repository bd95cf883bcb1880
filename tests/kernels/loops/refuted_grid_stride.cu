// A grid-stride loop advances by the block only and walks into the elements of the next block.
// launch: grid=any block=any
__global__ void k(const float *in, float *out, unsigned n) {
  size_t stride = blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = in[i] + blockIdx.x;   // ~ HD0102
}

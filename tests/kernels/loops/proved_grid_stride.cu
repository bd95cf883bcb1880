// A grid-stride loop gives each element to one thread for any launch.
// launch: grid=any block=any
__global__ void k(const float *in, float *out, unsigned n) {
  size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = 2 * in[i];
}

// All lanes of a warp take part in the sum, or none: `n` is a multiple of 32.
// launch: grid=any block=64 assume="n % 32 == 0"
__global__ void k(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  if (i < n) {
    v = in[i];
    for (int step = 16; step > 0; step /= 2)
      v += __shfl_down_sync(0xffffffffu, v, step);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = v;
}

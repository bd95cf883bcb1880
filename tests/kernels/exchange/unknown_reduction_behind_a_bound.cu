// The textbook's mistake: lanes beyond `n` take no part in a reduction whose mask names them.
// launch: grid=any block=64
__global__ void k(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = 0;
  if (i < n) {
    v = in[i];
    for (int step = 16; step > 0; step /= 2)
      v += __shfl_down_sync(0xffffffffu, v, step);  // ~ HD0002
  }
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = v;
}

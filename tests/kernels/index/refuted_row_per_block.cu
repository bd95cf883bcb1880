// Each block goes one element beyond its row.
// launch: grid=any block=any
__global__ void k(float *out, int w) {
  for (int j = threadIdx.x; j <= w; j += blockDim.x)
    out[blockIdx.x * w + j] += 1; // ~ HD0102
}

// A loop over the grid's stride reads the element after the last one.
// launch: grid=any block=256 size=in=n size=out=n passes=bounds
__global__ void k(float *out, const float *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i + 1] - in[i]; // ~ HD0301
}

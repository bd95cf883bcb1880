// The same loop where the input has one element more than the output.
// launch: grid=any block=256 "size=in=n + 1" size=out=n passes=bounds
__global__ void k(float *out, const float *in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i + 1] - in[i];
}

// After a butterfly all lanes have one value, and each may store it.
// launch: grid=any block=128
__global__ void in_a_loop(float *out, const float *in, int n) {
  __shared__ float s[4];
  int t = threadIdx.x;
  float v = t < n ? in[blockIdx.x * 128 + t] : -1e30f;
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
  s[t / 32] = v; // ~ HD0103
  __syncthreads();
  out[blockIdx.x * 128 + t] = s[t % 4];
}

__global__ void unrolled(int *out, const int *in) {
  int v = in[blockIdx.x * 128 + threadIdx.x];
  v += __shfl_xor_sync(~0u, v, 1);
  v += __shfl_xor_sync(~0u, v, 2);
  v += __shfl_xor_sync(~0u, v, 4);
  v += __shfl_xor_sync(~0u, v, 8);
  v += __shfl_xor_sync(~0u, v, 16);
  out[blockIdx.x * 4 + threadIdx.x / 32] = v; // ~ HD0103
}

__global__ void upwards(double *out, const double *in, int n) {
  double v = in[blockIdx.x * 128 + threadIdx.x];
  for (int d = 1; d < 32; d <<= 1) v = __shfl_xor_sync(~0u, v, d) + v;
  out[blockIdx.x * 4 + threadIdx.x / 32] = v / n; // ~ HD0103
}

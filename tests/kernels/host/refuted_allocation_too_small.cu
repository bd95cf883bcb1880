// The guard lets one element pass that the host has not allocated.
// launch: as-launched check-bounds
__global__ void k(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = in[i] * 2; // ~ HD0301
}
void run(int n) {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  k<<<(n + 255) / 256, 256>>>(out, in, n);
}

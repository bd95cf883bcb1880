// The host allocates four bytes for each element, rounded up to whole blocks.
// launch: as-launched check-bounds
__global__ void k(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i < n ? i : 0;
}
void run(int n) {
  if (n < 1 || n > 1000000) return;
  int blocks = (n + 255) / 256;
  float *out = nullptr;
  cudaMalloc((void **)&out, blocks * 256 * sizeof(float));
  k<<<blocks, 256>>>(out, n);
}

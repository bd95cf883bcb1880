// The host allocates as many bytes as there are elements of four.
// launch: as-launched check-bounds
__global__ void k(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i; // ~ HD0301
}
void run(int n) {
  float *out = nullptr;
  cudaMalloc((void **)&out, n);
  k<<<(n + 255) / 256, 256>>>(out, n);
}

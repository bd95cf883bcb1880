// The bytes of a buffer are a signed product of the host, and a kernel touches one element more.
// launch: as-launched check-bounds passes=bounds
__global__ void twice(float *of, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i <= n) of[i] *= 2;  // ~ HD0301
}
void run(int n) {
  float *of;
  int bytes = n * 4;
  cudaMalloc(&of, bytes);
  twice<<<n / 128 + 1, 128>>>(of, n);
}

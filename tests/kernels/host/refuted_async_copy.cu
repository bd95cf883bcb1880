// An asynchronous copy from the device sets the stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n, const int *d) {
  int stride = 1;
  cudaMemcpyAsync(&stride, d, 4, cudaMemcpyDeviceToHost, 0);
  cudaDeviceSynchronize();
  k<<<1,64>>>(out, n, stride);
}

// A function that the runtime calls later has the address of the stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void cb(void *p) { *(int *)p = 0; }
void run(int *out, int n) {
  int stride = 2;
  cudaLaunchHostFunc(0, cb, &stride);
  cudaDeviceSynchronize();
  k<<<1,64>>>(out, n, stride);
}

// A function that the runtime calls later has the address of a copy.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void callback(void *at) { *(int *)at = 0; }
void run(int *out, int n) {
  int stride = 2, copy = stride;
  cudaLaunchHostFunc(0, callback, &copy);
  cudaDeviceSynchronize();
  k<<<1, 64>>>(out, n, stride);
}

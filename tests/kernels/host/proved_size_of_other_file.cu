// The grid comes from another file. Its third dimension, which the kernel does not look at, is taken as 1.
// launch: as-launched
dim3 grid_for(int n);
__global__ void k(int *out, int n) {
  int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] += 1;
}
void run(int *out, int n) {
  k<<<grid_for(n), 256>>>(out, n);
}

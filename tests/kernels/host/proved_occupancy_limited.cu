// The block that the runtime chooses is limited to what the kernel was written for.
// launch: as-launched
__global__ void k(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i % 256] = i;
}
void run(int *out, int n) {
  int blocks, threads;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, k, 0, 0);
  if (threads > 256) threads = 256;
  k<<<1, threads>>>(out, n);
}

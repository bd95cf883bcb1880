// Block and grid come from the runtime, and each thread has its own element.
// launch: as-launched
__global__ void k(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}
void run(int *out, int n) {
  int blocks, threads;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, k, 0, 0);
  blocks = (n + threads - 1) / threads;
  k<<<blocks, threads>>>(out, n);
}

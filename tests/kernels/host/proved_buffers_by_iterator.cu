// An iterator fills a table with allocations of its own, of which each launch takes two.
// launch: as-launched
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1;
  b[63 - threadIdx.x] = threadIdx.x;
}
void run() {
  int *buffers[4];
  for (int *&buffer : buffers)
    cudaMalloc(&buffer, 256);
  for (int i = 0; i < 3; i++)
    k<<<1, 64>>>(buffers[i], buffers[i + 1]);
}

// The numbers of two buffers differ by two, and there are two buffers: each turn gives one twice.
// launch: as-launched
__global__ void step(const int *in, int *out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x; // ~ HD0002
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1] + in[i + 1];
}
void run(int n, int turns) {
  int *buffers[2];
  cudaMalloc(&buffers[0], n * sizeof(int));
  cudaMalloc(&buffers[1], n * sizeof(int));
  for (int t = 0; t < turns; t++)
    step<<<(n + 255) / 256, 256>>>(buffers[t & 1], buffers[t + 2 & 1], n);
}

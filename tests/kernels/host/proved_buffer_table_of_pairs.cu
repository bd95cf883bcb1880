// A table of two pairs, the second with its buffers swapped.
// launch: as-launched
__global__ void step(const int *in, int *out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1] + in[i + 1];
}
void run(int n, int turns) {
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  struct { int *in, *out; } of[2] = {{a, b}, {b, a}};
  for (int t = 0; t < turns; t++)
    step<<<(n + 255) / 256, 256>>>(of[t & 1].in, of[t & 1].out, n);
}

// A place of the table gets the other buffer in the end.
// launch: as-launched
__global__ void step(const int *in, int *out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;  // ~ HD0002
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1] + in[i + 1];
}
void run(int n, int turns) {
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  int *of[2] = {a, b};
  if (turns > 9) of[1] = a;
  for (int t = 0; t < turns; t++)
    step<<<(n + 255) / 256, 256>>>(of[t & 1], of[(t + 1) & 1], n);
}

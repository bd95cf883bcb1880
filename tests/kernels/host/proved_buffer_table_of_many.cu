// Each place of a table gets an allocation of its own, and each turn takes two neighbours.
// launch: as-launched
__global__ void step(const int *in, int *out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1] + in[i + 1];
}
void run(int n, int turns) {
  int *of[8];
  for (int k = 0; k < 8; k++)
    cudaMalloc(&of[k], n * sizeof(int));
  for (int t = 0; t < turns; t++)
    step<<<(n + 255) / 256, 256>>>(of[t & 7], of[(t + 1) & 7], n);
}

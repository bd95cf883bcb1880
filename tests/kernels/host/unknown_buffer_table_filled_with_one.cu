// A loop puts one allocation, made before it, at each place of the table.
// launch: as-launched
__global__ void step(const int *in, int *out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;  // ~ HD0002
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1] + in[i + 1];
}
void run(int n, int turns) {
  int *a, *of[8];
  cudaMalloc(&a, n * sizeof(int));
  for (int k = 0; k < 8 && k < turns; k++)
    of[k] = a;
  for (int t = 0; t < turns; t++)
    step<<<(n + 255) / 256, 256>>>(of[t & 7], of[(t + 1) & 7], n);
}

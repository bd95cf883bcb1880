// Each place of a table gets a part of one allocation, and how far apart they are is not followed.
// launch: as-launched
__global__ void step(const int *in, int *out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;  // ~ HD0002
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1] + in[i + 1];
}
void run(int n, int turns) {
  int *a, *of[8];
  cudaMalloc(&a, 8 * n * sizeof(int));
  for (int k = 0; k < 8; k++)
    of[k] = a + k * n / 2;
  for (int t = 0; t < turns; t++)
    step<<<(n + 255) / 256, 256>>>(of[t & 7], of[(t + 1) & 7], n);
}

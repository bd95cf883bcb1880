// The host gives one buffer twice; the assumption excludes its launch, and the buffers stay what they are.
// launch: as-launched assume="blockDim.x == 32"
__global__ void step(const int *in, int *out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;  // ~ HD0002
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1] + in[i + 1];  // ~ HD0103
}
void run(int n, int turns) {
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  int *of[2] = {a, a};
  for (int t = 0; t < turns; t++)
    step<<<(n + 255) / 256, 256>>>(of[t & 1], of[(t + 1) & 1], n);
}

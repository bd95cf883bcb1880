// The pointers go round among three, two of which begin in one buffer.
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
  int *c = a;
  for (int t = 0; t < turns; t++) {
    step<<<(n + 255) / 256, 256>>>(a, b, n);
    int *old = a;
    a = b;
    b = c;
    c = old;
  }
}

// One pointer changes in each turn, the other in every second one: they meet.
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
  int *from = a, *to = b, *other = a;
  for (int t = 0; t < turns; t++) {
    step<<<(n + 255) / 256, 256>>>(from, to, n);
    int *old = to;
    to = t % 2 ? other : to;
    other = t % 2 ? old : other;
    int *next = from == a ? b : a;
    from = next;
  }
}

// Which buffer the second pointer leads to is decided by a branch of the host.
// launch: as-launched
__global__ void k(int *a, int *b) {
  int t = threadIdx.x;  // ~ HD0002
  a[t] = 1;
  b[63 - t] = 2;
}
void note(int);
void run(int n) {
  int *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  if (n > 3) {
    note(n);
    b = a;
  }
  k<<<1, 64>>>(a, b);
}

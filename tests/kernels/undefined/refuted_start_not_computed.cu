// Where `n` is 30000, the first value of `p` would overflow, and is not computed.
// launch: grid=1 block=64
__global__ void k(int *x, int n, int m) {
  int at = threadIdx.x / 2;
  if (n < 21475) {
    int p = n * 100000;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < 4; j++)
        p += 1;
    at = p + threadIdx.x;
  }
  x[at] = threadIdx.x; // ~ HD0101
}

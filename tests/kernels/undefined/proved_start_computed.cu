// As in refuted_start_not_computed.cu, but each thread has a place of its own either way.
// launch: grid=1 block=64
__global__ void k(int *x, int n, int m) {
  int at = threadIdx.x;
  if (n < 21475) {
    int p = n * 100000;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < 4; j++)
        p += 1;
    at = p + threadIdx.x;
  }
  x[at] = threadIdx.x;
}

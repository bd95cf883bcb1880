// In the first round all threads store to one place; inner loops go on from the counter.
// launch: grid=1 block=64
__global__ void k(int *x, int m) {
  int last = -1000000;
  for (unsigned i = 5; i < 1024; i += 64) {
    x[last == -1000000 ? 0 : threadIdx.x + 1] = threadIdx.x; // ~ HD0101
    int p = i;
    for (int a = 0; a < m; a++)
      for (int b = 0; b < 4; b++)
        p += 1;
    last = p;
  }
}

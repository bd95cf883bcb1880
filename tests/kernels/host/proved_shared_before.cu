// The second pointer leads to memory before that of the first, and one thread writes there.
// launch: as-launched
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1;
  if (threadIdx.x == 5)
    b[0] = 7;
}
void run(int *p) { k<<<1, 64>>>(p + 64, p); }

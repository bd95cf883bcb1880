// The second pointer of the launch leads to memory before that of the first.
// launch: as-launched
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1;
  b[0] = threadIdx.x; // ~ HD0101
}
void run(int *p) { k<<<1, 64>>>(p + 64, p); }

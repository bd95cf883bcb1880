// An iterator fills a table with slices of one buffer, which are half as long as what a launch takes.
// launch: as-launched
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1;  // ~ HD0002
  b[63 - threadIdx.x] = threadIdx.x;
}
void run(int *next) {
  int *slices[4];
  for (int *&slice : slices) {
    slice = next;
    next += 32;
  }
  for (int i = 0; i < 3; i++)
    k<<<1, 64>>>(slices[i], slices[i + 1]);
}

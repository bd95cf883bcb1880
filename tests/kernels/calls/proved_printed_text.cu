// Texts that nobody writes, and numbers, are printed without touching memory.
// launch: grid=1 block=64
#include <cstdio>
__global__ void k(int *a, unsigned long n) {
  a[threadIdx.x] = threadIdx.x;
  printf("%s: %d %lu %% surely %5.2f\n", "here", a[threadIdx.x], n, 1.0);
}

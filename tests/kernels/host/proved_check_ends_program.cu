// A check of the project ends the program, though nothing says so of it.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
#include <cstdio>
#include <cstdlib>
static void die(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}
#define CHECK(condition) do { if (!(condition)) die(#condition); } while (0)
void run(int *out, int n, int stride) {
  CHECK(stride >= 1);
  CHECK(stride <= 8);
  k<<<1, 64>>>(out, n, stride);
}

// A check of the project prints a warning and goes on.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
#include <cstdio>
static void complain(const char *what) { fprintf(stderr, "%s\n", what); }
#define CHECK(condition) do { if (!(condition)) complain(#condition); } while (0)
void run(int *out, int n, int stride) {
  CHECK(stride >= 1);
  CHECK(stride <= 8);
  k<<<1, 64>>>(out, n, stride);
}

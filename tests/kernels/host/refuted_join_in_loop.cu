// The number that branches in a loop tested is another one when it comes to the launch.
// launch: as-launched
#include <cstdio>
__global__ void columns(int *out, int many) { out[threadIdx.x % many] = threadIdx.x; }  // ~ HD0101
void rows(int *out, const int *counts, int n) {
  int many = 64;
  for (int row = 0; row < n; row++) {
    if (many > 256) puts("many"); else if (many < 64) continue;
    many = counts[row];
    columns<<<1, 64>>>(out, many);
  }
}

// Branches in a loop that lead to one launch say nothing together: the number is tested once more before it.
// launch: as-launched
#include <cstdio>
__global__ void columns(int *out, int many) { out[threadIdx.x % many] = threadIdx.x; }
void rows(int *out, const int *counts, int n) {
  int many = 64;
  for (int row = 0; row < n; row++) {
    if (many > 256) puts("many"); else if (many < 1) continue;
    many = counts[row];
    if (many < 64) return;
    columns<<<1, 64>>>(out, many);
  }
}

// Two branches lead to the launch, and one of them with fewer columns than threads.
// launch: as-launched
#include <cstdio>
__global__ void columns(int *out, int many) {
  out[threadIdx.x % many] = threadIdx.x;  // ~ HD0101
}
void row(int *out, int many, int wide) {
  if (many == 64) {
    puts("whole");
    if (wide == 1) return;
  } else if (many == 32) {
    puts("less");
  } else {
    return;
  }
  columns<<<1, 64>>>(out, many);
}

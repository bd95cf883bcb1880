// Two branches lead to the launch, each with as many columns as there are threads, or more.
// launch: as-launched
#include <cstdio>
__global__ void columns(int *out, int many) {
  out[threadIdx.x % many] = threadIdx.x;
}
void row(int *out, int many, int wide) {
  if (many == 64) {
    puts("whole");
    if (wide == 1) return;
  } else if (many == 128) {
    puts("more");
  } else {
    return;
  }
  columns<<<1, 64>>>(out, many);
}

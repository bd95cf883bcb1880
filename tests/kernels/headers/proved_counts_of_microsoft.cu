// Hosts that are written against Microsoft's C library count elements with a macro of it.
// launch: as-launched
#include <cstdio>
__global__ void k(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * n] = i;
}
static int list[4] = {1, 2, 3, 4};
int main() {
  FILE *file;
  int *out;
  char name[16];
  if (fopen_s(&file, "list.txt", "r") != 0) return 1;
  sprintf_s(name, "%d", 4);
  cudaMalloc(&out, 1 << 16);
  k<<<4, 256>>>(out, _countof(list));
}

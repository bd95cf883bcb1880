// Both pointers lead to the allocation of this turn.
// launch: as-launched
__global__ void k(int *a, const int *b) { a[threadIdx.x] = b[threadIdx.x + 1]; } // ~ HD0101
static void run() {
  int *a, *b;
  if (cudaMalloc((void **)&a, 65 * sizeof(int)) != cudaSuccess) return;
  b = a;
  k<<<1, 64>>>(a, b);
  cudaFree(a);
}
int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++) run();
  return 0;
}

// Each turn of the host's loop makes allocations of its own, and gives them back.
// launch: as-launched
__global__ void k(int *a, const int *b) { a[threadIdx.x] = b[threadIdx.x + 1]; }
static void run() {
  int *a, *b;
  if (cudaMalloc((void **)&a, 64 * sizeof(int)) != cudaSuccess) return;
  cudaMalloc((void **)&b, 65 * sizeof(int));
  k<<<1, 64>>>(a, b);
  cudaFree(a);
  cudaFree(b);
}
int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++) run();
  return 0;
}

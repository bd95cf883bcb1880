// A pointer keeps the allocation of the turn before where the next one fails.
// launch: as-launched
__global__ void k(int *a, const int *b) { a[threadIdx.x] = b[threadIdx.x + 1]; } // ~ HD0002
int main(int argc, char **argv) {
  int *a = nullptr, *b = nullptr;
  for (int i = 0; i < argc; i++) {
    if (i & 1) b = a;
    cudaMalloc((void **)&a, 65 * sizeof(int));
    if (!b) cudaMalloc((void **)&b, 65 * sizeof(int));
    k<<<1, 64>>>(a, b);
  }
  return 0;
}

// `main` calls itself once more, and what variables are set to before it is not set again.
// launch: as-launched
int most() { return 256; }
int n = most();
__global__ void k(int *out, int n) { out[blockIdx.x * n + threadIdx.x] = blockIdx.x; } // ~ HD0102

int main(int argc, char **argv) {
  int *out;
  cudaMalloc(&out, 1 << 16);
  k<<<16, 128>>>(out, n);
  n = 64;
  return argc > 1 ? main(argc - 1, argv) : 0;
}

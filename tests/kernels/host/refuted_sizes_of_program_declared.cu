// The variable is declared `extern` with its type: another source may set it.
// launch: as-launched
extern struct Sizes {
  int a, n;
} sizes;
Sizes sizes = {1, 256};
__global__ void k(int *out, int n) { out[blockIdx.x * n + threadIdx.x] = blockIdx.x; } // ~ HD0102

int main() {
  int *out;
  cudaMalloc(&out, 1 << 16);
  k<<<16, 128>>>(out, sizes.n);
}

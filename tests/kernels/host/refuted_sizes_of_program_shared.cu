// The size is declared with `extern`: another source of the program may set it.
// launch: as-launched
extern int elements;
int elements = 256;
__global__ void k(int *out, int n) {
  out[blockIdx.x * n + threadIdx.x] = blockIdx.x; // ~ HD0102
}
int main() {
  int *out;
  cudaMalloc(&out, 1 << 16);
  k<<<16, 128>>>(out, elements);
}

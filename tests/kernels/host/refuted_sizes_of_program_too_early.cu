// The first size is made of the second one before that is set, and is zero.
// launch: as-launched
int later();
int threads = 128;
int elements = later();
int all = threads * 2;
int later() { return all; }
__global__ void k(int *out, int n) {
  out[blockIdx.x * n + threadIdx.x] = blockIdx.x; // ~ HD0102
}
int main() {
  int *out;
  cudaMalloc(&out, 1 << 16);
  k<<<16, threads>>>(out, elements);
}

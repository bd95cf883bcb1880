// Nothing sets the sizes of the program after they have their first values, and no header names them.
// launch: as-launched
int threads = 128;
int elements = threads * 2;
__global__ void k(int *out, int n) {
  out[blockIdx.x * n + threadIdx.x] = blockIdx.x;
}
int main() {
  int *out;
  cudaMalloc(&out, 1 << 16);
  k<<<16, threads>>>(out, elements);
}

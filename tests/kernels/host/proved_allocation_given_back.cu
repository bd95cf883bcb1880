// The input was given back before the output was allocated: that pointers do not overlap stays assumed.
// launch: as-launched
__global__ void k(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1];
}
int main() {
  int n = 1000, *out, *in;
  cudaMalloc(&in, (n + 1) * sizeof(int));
  cudaFree(in);
  cudaMalloc(&out, n * sizeof(int));
  k<<<(n + 255) / 256, 256>>>(out, in, n);
}

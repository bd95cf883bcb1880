// Input and output are two allocations.
// launch: as-launched
__global__ void k(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1];
}
int main() {
  int n = 1000, *out, *in;
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&in, (n + 1) * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  k<<<(n + 255) / 256, 256>>>(out, in, n);
  cudaFree(out);
  cudaFree(in);
}

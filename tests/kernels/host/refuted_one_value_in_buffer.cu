// Different values are stored to the second of two elements that the host allocates.
// launch: as-launched
__global__ void k(int *out, int far, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[far ? 1 : 0] = far ? i : 3;   // ~ HD0101
}
void run(int far, int n) {
  int *out;
  cudaMalloc(&out, 2 * sizeof(int));
  k<<<(n + 127) / 128, 128>>>(out, far, n);
}

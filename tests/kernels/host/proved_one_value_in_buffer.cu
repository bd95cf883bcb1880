// All store one value where the buffer has room for one element; different values would be stored after its end.
// launch: as-launched
__global__ void k(int *out, int far, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[far ? 1 : 0] = far ? i : 3;   // ~ HD0103
}
void run(int far, int n) {
  int *out;
  cudaMalloc(&out, sizeof(int));
  k<<<(n + 127) / 128, 128>>>(out, far, n);
}

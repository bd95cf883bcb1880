// The quotient is cut, so that the last numbers have no place in the row.
// launch: as-launched
__global__ void floor_of(float *out, int n, int tiles) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n)
    out[blockIdx.y * tiles * 32 + i] = blockIdx.y; // ~ HD0102
}

void run(float *out, int n) {
  floor_of<<<dim3((n + 31) / 32, 4), 32>>>(out, n, (int)(n / 32.0));
}

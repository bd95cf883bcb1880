// Rows without elements begin at one place, for which the host allocates an element each.
// launch: as-launched
__global__ void first(float *a, int nx, int ny) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < ny)
    a[y * nx] = y;   // ~ HD0101
}
void run(int nx, int ny) {
  float *a;
  cudaMalloc(&a, ny * sizeof(float));
  first<<<(ny + 127) / 128, 128>>>(a, nx, ny);
  cudaFree(a);
}

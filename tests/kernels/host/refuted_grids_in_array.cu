// The second of two grids in an array has more threads than there are places.
// launch: as-launched
__global__ void grids(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i & 8191] = i; // ~ HD0102
}

int main() {
  dim3 grid[2];
  grid[0] = dim3(16);
  grid[1] = dim3(64);
  float *p;
  cudaMalloc(&p, 1 << 20);
  for (int i = 0; i < 2; i++)
    grids<<<grid[i], 256>>>(p);
}

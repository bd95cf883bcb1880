// A grid in an array is changed between two rounds of the loop.
// launch: as-launched
__global__ void grids(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i & 8191] = i; // ~ HD0102
}

int main() {
  dim3 grid[2] = {dim3(16), dim3(32)};
  float *p;
  cudaMalloc(&p, 1 << 20);
  for (int i = 0; i < 2; i++) {
    grids<<<grid[i], 256>>>(p);
    grid[1].x *= 2;
  }
}

// Grids lie in an array that a loop of two rounds goes through.
// launch: as-launched
__global__ void grids(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i & 8191] = i;
}

int main() {
  dim3 grid[2];
  grid[0] = dim3(16);
  grid[1] = dim3(32);
  float *p;
  cudaMalloc(&p, 1 << 20);
  for (int i = 0; i < 2; i++)
    grids<<<grid[i], 256>>>(p);
}

// A loop of more rounds than are read one by one: the last of the grids has too many threads.
// launch: as-launched
__global__ void grids(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i & 8191] = i; // ~ HD0102
}

int main() {
  dim3 grid[9];
  for (int i = 0; i < 9; i++)
    grid[i] = dim3(4 * i + 4);
  float *p;
  cudaMalloc(&p, 1 << 20);
  for (int i = 0; i < 9; i++)
    grids<<<grid[i], 256>>>(p);
}

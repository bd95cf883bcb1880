// A pointer goes backwards through the sizes of blocks, by two, and does not come to the one that is too large.
// launch: as-launched
__global__ void k(int *o, int pitch) { o[blockIdx.x * pitch + threadIdx.x] = blockIdx.x; }

int main() {
  int *o;
  cudaMalloc(&o, 1 << 20);
  int sizes[] = {64, 96, 128, 16};
  for (int *n = sizes + 3; n > sizes; n -= 2)
    k<<<10, *n>>>(o, 100);
}

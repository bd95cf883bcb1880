// A loop goes through the sizes of blocks in an array by a pointer; the last is larger than a row.
// launch: as-launched
__global__ void k(int *o, int pitch) { o[blockIdx.x * pitch + threadIdx.x] = blockIdx.x; } // ~ HD0102

int main() {
  int *o;
  cudaMalloc(&o, 1 << 20);
  int sizes[] = {64, 96, 32, 100, 1, 128};
  for (auto n : sizes)
    k<<<10, n>>>(o, 100);
}

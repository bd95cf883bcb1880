// The size of a later block in the array is changed while a loop goes through it.
// launch: as-launched
__global__ void k(int *o, int pitch) { o[blockIdx.x * pitch + threadIdx.x] = blockIdx.x; } // ~ HD0102

int main() {
  int *o;
  cudaMalloc(&o, 1 << 20);
  int sizes[] = {64, 96, 32};
  for (int *n = sizes; n != sizes + 3; n++) {
    if (n == sizes)
      sizes[2] = 128;
    k<<<10, *n>>>(o, 100);
  }
}

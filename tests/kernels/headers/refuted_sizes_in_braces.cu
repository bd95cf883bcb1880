// A list in braces for the sizes of a launch has more threads in y than the kernel has rows for.
// launch: as-launched
__global__ void fill(float *out, int width) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  out[y * width + x] = threadIdx.y; // ~ HD0102
}

void run(float *out, dim3 grid) { fill<<<grid, {32, 8, 1}>>>(out, 32 * grid.x); }

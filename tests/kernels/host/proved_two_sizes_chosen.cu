// Two sizes of the grid that the host chooses, which an answer shows apart.
// launch: as-launched
__global__ void choose(float *out, int width) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < width)
    out[y * width + x] = 1;
}

static unsigned long parts(unsigned long a, unsigned long b) { return a % b != 0 ? a / b + 1 : a / b; }

void run(float *out, unsigned long width, unsigned long height) {
  choose<<<dim3(parts(width, 8), parts(height, 8)), dim3(8, 8)>>>(out, width);
}

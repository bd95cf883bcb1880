// Rows as long as the grid, which the host rounds up by the rest of a division, as the kernel does.
// launch: as-launched
#define ROUND_UP(n, of) ((n) / (of) + ((n) % (of) > 0))

__global__ void mark(int n, unsigned long long *marks) {
  int row = blockIdx.y, column = blockIdx.x;
  if (threadIdx.x < min(n - row * 64, 64))
    marks[(row * 64 + threadIdx.x) * ROUND_UP(n, 64) + column] = threadIdx.x + column;
}

void run(int n, unsigned long long *marks) {
  dim3 blocks(ROUND_UP(n, 64), ROUND_UP(n, 64));
  mark<<<blocks, 64>>>(n, marks);
}

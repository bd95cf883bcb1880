// Rows that are rounded down, and blocks for rows that are rounded up.
// launch: as-launched
#define ROUND_UP(n, of) ((n) / (of) + ((n) % (of) > 0))

__global__ void mark(int n, unsigned long long *marks) {
  int row = blockIdx.y, column = blockIdx.x;
  if (threadIdx.x < min(n - row * 64, 64))
    marks[(row * 64 + threadIdx.x) * (n / 64) + column] = threadIdx.x + column; // ~ HD0101
}

void run(int n, unsigned long long *marks) {
  dim3 blocks(ROUND_UP(n, 64), ROUND_UP(n, 64));
  mark<<<blocks, 64>>>(n, marks);
}

// Two blocks have one matrix, by a pointer that lies in memory.
// launch: grid=any block=16,16
__global__ void k(double *const *matrices, const double *const *others, int n) {
  double *to = matrices[blockIdx.x / 2];
  const double *from = others[blockIdx.x];
  for (int row = threadIdx.y; row < n; row += 16)
    for (int column = threadIdx.x; column < n; column += 16)
      to[row * (size_t)n + column] = from[row * (size_t)n + column]; // ~ HD0102
}

// Each block has a matrix of its own, by a pointer that lies in memory.
// launch: grid=any,any block=16,16
__global__ void k(double *const *matrices, const double *const *others, int n) {
  double *to = matrices[blockIdx.x];
  const double *from = others[blockIdx.x];
  for (int row = threadIdx.y; row < n; row += 16)
    for (int column = threadIdx.x; column < n; column += 16)
      if (blockIdx.y == 0)
        to[row * (size_t)n + column] = from[row * (size_t)n + column];
}

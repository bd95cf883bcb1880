// The last branch writes the neighbour's element, which the neighbour writes in another one.
// launch: grid=any block=64
__global__ void k(int *x, const int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = y[i];
  if (v < 1) x[i] = 1;          // ~ HD0101
  else if (v < 2) x[i] = 2;     // ~ HD0101
  else if (v < 4) x[i] = 3;     // ~ HD0101
  else if (v < 8) x[i] = 4;     // ~ HD0101
  else if (v < 16) x[i] = 5;    // ~ HD0101
  else x[i + 1] = 6;
}

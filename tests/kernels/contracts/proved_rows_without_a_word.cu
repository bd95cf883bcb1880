// What the finding of the twin tells is said of where rows begin.
// launch: grid=2 block=64 assume="sorted(row, n + 1)"
__global__ void k(float *value, const int *row, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = row[i]; j < row[i + 1]; j++) value[j] = i;
}

// Nothing is said of where rows begin; the finding tells what could be.
// launch: grid=2 block=64
__global__ void k(float *value, const int *row, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = row[i]; j < row[i + 1]; j++) value[j] = i;   // ~ HD0101
}

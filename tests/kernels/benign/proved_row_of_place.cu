// Whoever has the same row adds up the same numbers, in a loop whose ends the row says.
// launch: grid=any block=any
__global__ void k(const int *ids, const int *starts, const float *values, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int row = ids[i];
  float sum = 0;
  for (int j = starts[row]; j < starts[row + 1]; j++)
    sum += values[j];
  out[row] = sum;   // ~ HD0103
}

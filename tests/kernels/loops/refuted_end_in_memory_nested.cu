// Rows end where memory says, in a loop over rows: both race in the first round of each.
// launch: grid=2 block=256
__global__ void k(const int *ends, const int *marks, int *found, int rows) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x)
    for (int j = threadIdx.x; j < ends[row]; j += blockDim.x)
      if ((threadIdx.x == 0 && marks[j] == 7) || (threadIdx.x == 1 && marks[j] == 9))
        found[row] = j;   // ~ HD0101
}

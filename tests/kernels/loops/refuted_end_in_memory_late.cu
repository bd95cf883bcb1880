// Where a row ends is read from memory, and two threads race in their 11th and 13th round.
// launch: grid=2 block=256
__global__ void k(const int *ends, int *found) {
  int row = blockIdx.x;
  for (int j = threadIdx.x; j < ends[row]; j += blockDim.x)
    if (j == 2560 || j == 3073)
      found[row] = j;   // ~ HD0101
}

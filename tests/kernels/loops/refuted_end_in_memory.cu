// Where a row ends is read from memory, and two threads may find what they search in the first round.
// launch: grid=2 block=256
__global__ void k(const int *ends, const int *marks, int *found) {
  int row = blockIdx.x;
  for (int j = threadIdx.x; j < ends[row]; j += blockDim.x) {
    int mark = marks[j];
    if ((threadIdx.x == 0 && mark == 7) || (threadIdx.x == 1 && mark == 9))
      found[row] = j;   // ~ HD0101
  }
}

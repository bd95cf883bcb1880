// Where a row ends is read from memory, and each thread has a place of its own for what it finds.
// launch: grid=2 block=256
__global__ void k(const int *ends, const int *marks, int *found) {
  int row = blockIdx.x;
  for (int j = threadIdx.x; j < ends[row]; j += blockDim.x) {
    int mark = marks[j];
    if ((threadIdx.x == 0 && mark == 7) || (threadIdx.x == 1 && mark == 9))
      found[row * blockDim.x + threadIdx.x] = j;
  }
}

// A loop inside runs once more than its test holds, and the rows are no multiple of what it steps by.
// launch: grid=1 block=64 assume="rows >= 0 && rows < 100 && columns > 0 && columns < 100"
__global__ void k(int *out, int rows, int columns) {
  int p = threadIdx.x;
  for (int i = 0; i < rows; ++i) {
    int j = 0;
    do {
      out[p] = threadIdx.x; // ~ HD0101
      p += 31;
    } while (++j < columns);
  }
}

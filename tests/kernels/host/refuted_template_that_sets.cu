// A template of the program's own may set the variable to whose address it was given.
// launch: as-launched
template <class T> void cudaEventRecord(T *event);

__global__ void k(int *out, int m) {
  out[m == 7 ? 0 : threadIdx.x] = threadIdx.x; // ~ HD0101
}

void run(int *out) {
  int n = 4;
  cudaEventRecord(&n);
  k<<<1, 64>>>(out, n);
}

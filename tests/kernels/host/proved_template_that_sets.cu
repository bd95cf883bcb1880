// A template of the program's own is given a copy, and cannot set the variable.
// launch: as-launched
template <class T> void cudaEventRecord(T event);

__global__ void k(int *out, int m) {
  out[m == 7 ? 0 : threadIdx.x] = threadIdx.x;
}

void run(int *out) {
  int n = 4;
  cudaEventRecord(n);
  k<<<1, 64>>>(out, n);
}

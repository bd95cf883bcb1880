// They go on by one element only.
// launch: grid=1 block=64
__global__ void k(float *out, int n, int rows) {
  bool active = threadIdx.x < n;
  int at = threadIdx.x;
  for (int i = 0; i < rows; i++) {
    if (active) {
      out[at] = i;   // ~ HD0101
      at += 1;
    }
  }
}

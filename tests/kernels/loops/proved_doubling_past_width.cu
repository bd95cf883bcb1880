// Zero doubles to zero for any number of iterations, and each thread adds its own index.
// launch: grid=1 block=64
__global__ void zero(int *out) {
  int t = threadIdx.x, i = t >> 6;
  for (int k = 0; k < 40; k++) {
    if (k == 35)
      out[i + t] = t;
    i *= 2;
  }
}
__global__ void wraps(int *out) {
  int t = threadIdx.x;
  unsigned i = 1;
  for (int k = 0; k < 40; k++) {
    if (k == 33)
      out[i == 0 ? t : 0] = t;
    i *= 2;
  }
}

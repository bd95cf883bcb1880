// The step of a counter overflows, but a loop that ends before it takes a step computes none.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  for (int i = t;; i += n * n) {
    if (n > 90000)
      out[i >> 5] = t;   // ~ HD0101
    if (i < n)
      break;
  }
}

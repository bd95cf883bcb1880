// The step of a counter overflows, but a loop that ends before it takes a step computes none, and each thread has its own slot.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  for (int i = t;; i += n * n) {
    if (n > 90000)
      out[i] = t;
    if (i < n)
      break;
  }
}

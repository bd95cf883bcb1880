// What is assumed before a loop holds in it.
// launch: grid=1 block=64
__global__ void k(int *out, const int *in, int n, int m) {
  unsigned a = 4;
  for (int i = 0; i < m; i++) {
    __builtin_assume(n <= 0);
    while (n > 0) {
      out[0] = threadIdx.x;
      a = in[a & 63];
    }
  }
}

// What is assumed after a loop says nothing of threads that the loop keeps.
// launch: grid=1 block=64
__global__ void k(int *out, const int *in, int n, int m) {
  unsigned a = 4;
  for (int i = 0; i < m; i++) {
    while (n > 0) {
      out[0] = threadIdx.x;  // ~ HD0101
      a = in[a & 63];
    }
    __builtin_assume(a == 4 || a > 5);
  }
}

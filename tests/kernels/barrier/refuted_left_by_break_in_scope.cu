// A thread leaves the loop from inside of a scope, and goes on to the end: it does not return.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    int square = i * i;
    if (square > 100) {
      int rest = square % 64;
      if (t == rest)
        break;
    }
    __syncthreads();  // ~ HD0201
  }
  if (t == 0)
    out[n] = t;
}

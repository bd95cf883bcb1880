// Returns from inside of scopes and loops, with variables whose lives end on the way.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    int square = i * i;
    if (square > 100) {
      int rest = square % 64;
      if (t == rest) {
        int twice = rest * 2;
        out[twice + t] = i;
        return;
      }
    }
    __syncthreads();  // ~ HD0203
  }
  if (n == 300)
    return;
}

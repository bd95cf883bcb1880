// Some threads return out of the loop, for one reason or another; none leaves it otherwise before its end.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(const int *in, int n) {
  for (int i = 0; i < n; i++) {
    int x = in[i];
    if (x == 5)
      return;
    if (threadIdx.x == x)
      return;
    __syncthreads();  // ~ HD0203
  }
}

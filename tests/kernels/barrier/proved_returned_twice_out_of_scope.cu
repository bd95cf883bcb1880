// Two returns leave one scope with a variable: those who wait return by the other one.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int c, int n) {
  int t = threadIdx.x;
  {
    int y = out[t];
    if (t < c)
      return;
    __syncthreads();  // ~ HD0203
    if (n == 3)
      return;
    out[t] = y;
  }
  out[t + 64] = 1;
}

// A thread leaves a loop inside of which a variable lives, and comes to the last `return`.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int c, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (t < c)
      break;
    __syncthreads();  // ~ HD0201
  }
  out[t] = 1;
  return;
}

// A thread leaves the loop and comes to the last `return`; an early one before it is the same for all.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  if (n == 9)
    return;
  for (int i = 0; i < 2; i++) {
    int y = t;
    if (y < n)
      break;
    __syncthreads();  // ~ HD0201
  }
  return;
}

// A thread leaves the loop, and comes to the `return` at the end, as all others do later.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int n) {
  for (int i = 0; i < n; i++) {
    if (threadIdx.x == i)
      break;
    __syncthreads();  // ~ HD0201
  }
  return;
}

// The only way out of a loop without an end is a `return`.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int n) {
  while (true) {
    if (threadIdx.x == n)
      return;
    __syncthreads();  // ~ HD0203
    n++;
  }
}

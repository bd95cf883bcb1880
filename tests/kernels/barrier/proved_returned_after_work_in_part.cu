// Some of the threads that return early store something before.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int n) {
  if (threadIdx.x < n) {
    if (n > 3)
      out[1] = 1;
    return;
  }
  __syncthreads();  // ~ HD0203
}

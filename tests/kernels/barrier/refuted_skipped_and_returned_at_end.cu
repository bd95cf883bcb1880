// One side of a branch has a barrier; the `return` at the end is one that all threads come to.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int n) {
  if (threadIdx.x < n) {
    out[1] = 1;
  } else {
    __syncthreads();  // ~ HD0201
    out[0] = 1;
  }
  out[2] = n;
  return;
}

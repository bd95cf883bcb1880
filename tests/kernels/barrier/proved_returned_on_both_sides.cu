// Both sides of a branch return, and one of them meets at a barrier before.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int n) {
  if (threadIdx.x < n) {
    out[0] = n;
    __syncthreads();  // ~ HD0203
    return;
  } else {
    out[1] = n;
    return;
  }
}

// One side of the branch has the barrier, and the other comes to the end of the kernel; nothing returns.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out, int n) {
  if (threadIdx.x < n) {
    out[1] = 1;
  } else {
    __syncthreads();  // ~ HD0201
    out[0] = 1;
  }
}

// A case of a switch falls through to one that returns.
// launch: grid=1 block=64 passes=barrier-divergence
__global__ void k(int *out) {
  switch (threadIdx.x) {
  case 1:
    out[1] = 2;
  case 2:
    return;
  default:
    break;
  }
  __syncthreads();  // ~ HD0203
}

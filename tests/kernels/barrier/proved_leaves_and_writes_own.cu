// A thread leaves the loop early and writes where nobody else does.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int z[2];
  if (threadIdx.x == 0) z[0] = z[1] = 0;
  __syncthreads();
  for (int i = 0; i < 6; i++) {
    if (threadIdx.x == 0 && i == 1) out[0] = z[0];
    if (threadIdx.x == 9 && i == 1) {
      z[1] = 1;
      return;
    }
    __syncthreads();                       // ~ HD0203
  }
}

// A thread leaves the loop early and writes what another reads in the same interval.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int z;
  if (threadIdx.x == 0) z = 0;
  __syncthreads();
  for (int i = 0; i < 6; i++) {
    if (threadIdx.x == 0 && i == 1) out[0] = z;
    if (threadIdx.x == 9 && i == 1) {
      z = 1;                             // ~ HD0101
      return;
    }
    __syncthreads();                       // ~ HD0203
  }
}

// All threads store the number of the iteration, which a barrier makes one for all.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s;
  for (int i = 0; i < 4; i++) {
    s = i;   // ~ HD0103
    __syncthreads();
  }
}

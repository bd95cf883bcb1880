// One thread changes a shared value while the others may still be reading it.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int round;
  if (threadIdx.x == 0)
    round = 0;
  __syncthreads();
  int v = round;
  if (threadIdx.x == 0)
    round = 1;   // ~ HD0101
  __syncthreads();
  out[threadIdx.x] = v;
}

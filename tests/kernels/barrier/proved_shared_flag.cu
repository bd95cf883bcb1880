// The loop condition lives in shared memory and changes only between two barriers.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  __shared__ int left;
  if (threadIdx.x == 0)
    left = n;
  __syncthreads();
  int rounds = 0;
  while (left > 0) {
    rounds++;
    __syncthreads();
    if (threadIdx.x == 0)
      left--;
    __syncthreads();
  }
  out[threadIdx.x] = rounds;
}

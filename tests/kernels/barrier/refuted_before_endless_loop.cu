// The thread that leaves the barrier out would return after a loop that never ends.
// launch: grid=1 block=64 n=300
__global__ void k(int n, int *out) {
  if (threadIdx.x) __syncthreads();  // ~ HD0201
  unsigned char i = 0;
  while (i < n) {
    __syncthreads();
    i++;
  }
  if (i == 7) return;
  out[threadIdx.x] = 1;
}

// Threads with an odd number return after the loop's first round, and the others wait for them no more.
// launch: grid=1 block=64 n=200
__global__ void k(int n, int *out) {
  for (int j = 0; j < 2; j++) {
    __syncthreads();  // ~ HD0203
    if (threadIdx.x % 2) break;
  }
  if (threadIdx.x % 2) return;
  for (unsigned char i = 0; i < n; i++) __syncthreads();  // ~ HD0203
  out[threadIdx.x] = 1;
}

// Threads run a loop with a barrier once or twice, and then one that never ends and that waits.
// launch: grid=1 block=64 n=300
__global__ void k(int n, int *out) {
  for (int j = 0; j < 1 + threadIdx.x % 2; j++) __syncthreads();  // ~ HD0201
  unsigned char i = 0;
  while (i < n) {
    __syncthreads();
    i++;
  }
  if (i == 7) return;
  out[threadIdx.x] = 1;
}

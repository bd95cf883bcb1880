// The flag of an earlier block is read by one thread and passed on to its block through global memory.
// launch: grid=3 block=64 assume-progress=fair passes=progress
__global__ void k(volatile int *flag, int *go) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *flag = 1;
  if (blockIdx.x != 2) return;
  for (;;) {
    if (threadIdx.x == 0) go[0] = *flag;  // ~ HD0501
    __syncthreads();
    int f = go[0];
    __syncthreads();
    if (f) break;
  }
}

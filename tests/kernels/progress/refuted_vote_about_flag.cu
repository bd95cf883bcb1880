// Lanes of a warp vote about the flag of a later block.
// launch: grid=3 block=32
__global__ void k(volatile int *flag) {
  if (blockIdx.x == 2 && threadIdx.x == 0) *flag = 1;
  if (blockIdx.x == 0) {
    int f;
    do {
      f = threadIdx.x == 0 ? *flag : 0;  // ~ HD0501
      f = __any_sync(~0u, f);
    } while (!f);
  }
}

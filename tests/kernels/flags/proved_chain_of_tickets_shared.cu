// The same, where shared memory hands the tile to the block before threads return.
// launch: grid=any block=128 passes=races
__global__ void k(int *prefix, volatile int *flag, int *counter, int *out, int tiles) {
  __shared__ int s;
  for (;;) {
    if (threadIdx.x == 0) s = atomicAdd(counter, 1);
    __syncthreads();
    int tile = s;
    __syncthreads();
    if (tile >= tiles) break;
    if (threadIdx.x == 0) {
      int before = 0;
      if (tile > 0) {
        while (flag[tile - 1] == 0) {}
        __threadfence();
        before = prefix[tile - 1];
      }
      prefix[tile] = before + 1;
      __threadfence();
      flag[tile] = 1;
    }
  }
}

// A chained scan over tiles in strides.
// launch: grid=any block=128 passes=races
__global__ void k(int *prefix, volatile int *flag, int *out, int tiles) {
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
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
    __syncthreads();
  }
}

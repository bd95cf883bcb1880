// No fence stands between the word and the table that is read.
// launch: grid=any block=any passes=intra-warp-race,intra-block-race,inter-block-race
__device__ int state, table[64];
__global__ void k(int *out) {
  if (*(volatile int *)&state != 2) {
    if (atomicCAS(&state, 0, 1) == 0) {
      for (int i = 0; i < 64; i++) table[i] = i * i; // ~ HD0101
      __threadfence();
      atomicExch(&state, 2);
    } else
      while (*(volatile int *)&state != 2) {}
  }
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[i % 64];
}

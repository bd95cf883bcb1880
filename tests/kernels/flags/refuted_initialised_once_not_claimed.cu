// Whoever finds the word empty fills the table, without having claimed it.
// launch: grid=any block=any passes=intra-warp-race,intra-block-race,inter-block-race
__device__ int state, table[64];
__global__ void k(int *out) {
  if (*(volatile int *)&state != 2) {
    if (atomicCAS(&state, 1, 1) == 0) {
      for (int i = 0; i < 64; i++) table[i] = i * i; // ~ HD0002 HD0102
      __threadfence();
      atomicExch(&state, 2);
    } else
      while (*(volatile int *)&state != 2) {}
  }
  __threadfence();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[i % 64];
}

// A lane of the other warp reads.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int z[2];
  int t = threadIdx.x;
  if (t % 32 == 1) { z[t / 32] = 1; return; } // ~ HD0101
  __syncwarp();
  if (t % 32 == 0) out[t] = z[1 - t / 32];
}

// A block of eight warps writes eight sums, and the first warp reads thirty-two.
// launch: passes=uninitialised-shared block=256 grid=2
__global__ void k(const float *in, float *out) {
  __shared__ float sums[32];
  int t = threadIdx.x;
  float v = in[blockIdx.x * 256 + t];
  if (t % 32 == 0) sums[t / 32] = v;
  __syncthreads();
  if (t < 32) out[blockIdx.x * 32 + t] = sums[t];   // ~ HD0302
}

// A warp reads the sums of as many warps as there are.
// launch: passes=uninitialised-shared block=256 grid=any
__global__ void k(const float *in, float *out) {
  __shared__ float sums[32];
  int t = threadIdx.x;
  float v = in[blockIdx.x * 256 + t];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
  if (t % 32 == 0) sums[t / 32] = v;
  __syncthreads();
  if (t < 8) out[blockIdx.x * 8 + t] = sums[t];
}

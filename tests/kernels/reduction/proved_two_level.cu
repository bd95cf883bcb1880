// Each warp reduces by shuffles and the first warp adds the partial sums after a barrier.
// launch: grid=any block=256
__global__ void k(const int *in, int *out) {
  __shared__ int partial[8];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  int v = in[t];
  for (int d = 16; d > 0; d >>= 1)
    v += __shfl_xor_sync(0xffffffffu, v, d);
  if (lane == 0)
    partial[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < 8 ? partial[lane] : 0;
    for (int d = 4; d > 0; d >>= 1)
      v += __shfl_xor_sync(0xffffffffu, v, d);
    if (lane == 0)
      out[blockIdx.x] = v;
  }
}

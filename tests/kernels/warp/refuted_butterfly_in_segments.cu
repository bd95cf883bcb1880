// The shuffles stay in segments of 16 lanes, of which the warp has two.
// launch: grid=any block=128
__global__ void k(int *out, const int *in, int n) {
  int t = threadIdx.x;
  int v = t;
  v += __shfl_xor_sync(~0u, v, 8, 16);
  v += __shfl_xor_sync(~0u, v, 4, 16);
  v += __shfl_xor_sync(~0u, v, 2, 16);
  v += __shfl_xor_sync(~0u, v, 1, 16);
  out[blockIdx.x * 64 + t / 32] = v; // ~ HD0104
}

// Lanes began with one of eight values, and two steps combine four.
// launch: grid=any block=128
__global__ void k(int *out, const int *in, int n) {
  int t = threadIdx.x;
  int v = t % 8;
  v += __shfl_xor_sync(~0u, v, 2);
  v += __shfl_xor_sync(~0u, v, 1);
  out[blockIdx.x * 64 + t / 32] = v; // ~ HD0104
}

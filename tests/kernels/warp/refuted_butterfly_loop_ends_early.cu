// The loop ends before its last step.
// launch: grid=any block=128
__global__ void k(int *out, const int *in, int n) {
  int t = threadIdx.x;
  int v = t;
  for (int d = 16; d > 1; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  out[blockIdx.x * 64 + t / 32] = v; // ~ HD0104
}

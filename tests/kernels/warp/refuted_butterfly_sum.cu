// The loop ends one step early: two sums are left, and all lanes store one of them.
// launch: grid=2 block=32
__global__ void k(int *out, const int *in) {
  int v = threadIdx.x;
  for (int step = 16; step > 1; step >>= 1) v += __shfl_xor_sync(0xffffffff, v, step);
  out[blockIdx.x] = v;                     // ~ HD0104
}

// A block-stride loop with the stride of a warp gives elements to two warps.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out, int n) {
  for (int i = threadIdx.x; i < n; i += 32)
    out[i] = in[i] + threadIdx.x;   // ~ HD0101
}

// After the exchange all lanes hold one sum, and all of them store it.
// launch: grid=2 block=32
__global__ void k(int *out, const int *in) {
  int v = in[blockIdx.x * 32 + threadIdx.x];
  for (int step = 16; step > 0; step >>= 1) v += __shfl_xor_sync(0xffffffff, v, step);
  out[blockIdx.x] = v;                     // ~ HD0103
}

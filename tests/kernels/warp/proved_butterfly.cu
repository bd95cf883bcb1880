// One lane stores the sum.
// launch: grid=2 block=32
__global__ void k(int *out, const int *in) {
  int v = in[blockIdx.x * 32 + threadIdx.x];
  for (int step = 16; step > 0; step >>= 1) v += __shfl_xor_sync(0xffffffff, v, step);
  if (threadIdx.x == 0) out[blockIdx.x] = v;
}

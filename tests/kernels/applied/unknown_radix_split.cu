// One bit of a radix sort scatters to positions that are distinct because a scan counted them.
// launch: grid=1 block=128
__global__ void k(const unsigned *in, unsigned *out, int bit) {
  __shared__ unsigned zeros[128];
  unsigned t = threadIdx.x, key = in[t], one = key >> (bit & 31) & 1;
  zeros[t] = 1 - one;
  __syncthreads();
  for (unsigned d = 1; d < 128; d *= 2) {
    unsigned v = t >= d ? zeros[t - d] : 0;
    __syncthreads();
    zeros[t] += v;
    __syncthreads();
  }
  unsigned position = one ? t - zeros[t] + zeros[127] : zeros[t] - 1;
  out[position] = key;   // ~ HD0002
}

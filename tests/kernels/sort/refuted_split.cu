// The ones start one place too early.
// launch: grid=any block=256 passes=races
__global__ void k(const unsigned *in, unsigned *out, int bit) {
  __shared__ unsigned s[256];
  int t = threadIdx.x;
  unsigned v = in[blockIdx.x * 256 + t], one = v >> bit & 1u;
  s[t] = !one;
  __syncthreads();
  for (int o = 1; o < 256; o <<= 1) {
    unsigned x = t >= o ? s[t - o] : 0;
    __syncthreads();
    s[t] += x;
    __syncthreads();
  }
  unsigned before = s[t] - !one;
  out[blockIdx.x * 256 + (one ? t - before + s[255] - 1 : before)] = v;  // ~ HD0002 HD0101
}

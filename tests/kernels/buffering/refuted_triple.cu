// Loading three rounds ahead into three buffers hits the buffer that is being read.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out, int rounds) {
  __shared__ int s[3][64];
  int t = threadIdx.x, sum = 0;
  s[0][t] = in[t];
  s[1][t] = in[64 + t];
  s[2][t] = in[128 + t];
  for (int r = 0; r < rounds; r++) {
    __syncthreads();
    s[(r + 3) % 3][t] = in[(r + 3) * 64 + t];   // ~ HD0101
    sum += s[r % 3][63 - t];
  }
  out[t] = sum;
}

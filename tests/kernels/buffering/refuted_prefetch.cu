// The next tile is loaded into the buffer that is in use.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out, int rounds) {
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    if (r + 1 < rounds)
      s[(r + 2) % 2][t] = in[(r + 1) * 64 + t];   // ~ HD0101
    sum += s[r % 2][63 - t];
    __syncthreads();
  }
  out[t] = sum;
}

// A single buffer with one barrier per round is refilled while it is still read.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out, int rounds) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < rounds; r++) {
    s[t] = in[r * 64 + t];   // ~ HD0101
    __syncthreads();
    sum += s[63 - t];
  }
  out[t] = sum;
}

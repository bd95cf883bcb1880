// Two buffers used in turn need one barrier per round.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out, int rounds) {
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  for (int r = 0; r < rounds; r++) {
    s[r & 1][t] = in[r * 64 + t];
    __syncthreads();
    sum += s[r & 1][63 - t];
  }
  out[t] = sum;
}

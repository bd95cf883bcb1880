// In each round a vote says what is written to the row.
// launch: grid=1 block=64 passes=uninitialised-shared
__global__ void k(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < 8; i++) {
    int any = __syncthreads_or(in[i * 64 + t]);
    if (t == 0)
      for (int j = 0; j < 8; j++)
        s[8 * i + j] = any;
  }
  __syncthreads();
  if (t >= 8) out[t] = s[t];
}

// What a step fills is read by the next; the first one reads what was there before all.
// launch: passes=uninitialised-shared block=64 grid=any
__global__ void k(const float *in, float *out, int n) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int m = 0; m < n; ++m) {
    sum += s[m & 1][63 - t];
    s[(m + 1) & 1][t] = in[m * 64 + t];
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}

// The tile is read in the first step before it is filled.
// launch: passes=uninitialised-shared block=64 grid=1
__global__ void k(const float *in, float *out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float sum = 0;
  for (int m = 0; m < n; ++m) {
    sum += s[63 - t];   // ~ HD0302
    __syncthreads();
    s[t] = in[m * 64 + t];
    __syncthreads();
  }
  out[t] = sum;
}

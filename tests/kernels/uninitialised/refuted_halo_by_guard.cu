// Where the grid does not divide the array, threads past its end leave cells that others read.
// launch: passes=uninitialised-shared block=128 grid=4
__global__ void k(const float *in, float *out, int n) {
  __shared__ float s[129];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  if (i < n) s[t] = in[i];
  if (t == 0) s[128] = 0.0f;
  __syncthreads();
  if (i < n) out[i] = s[t + 1] - s[t];   // ~ HD0302
}

// The cell to the right of a tile is never written.
// launch: passes=uninitialised-shared block=128 grid=4
__global__ void k(const float *in, float *out, int n) {
  __shared__ float s[130];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  s[t + 1] = i < n ? in[i] : 0.0f;
  if (t == 0) s[0] = i > 0 ? in[i - 1] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = s[t] + s[t + 1] + s[t + 2];   // ~ HD0302
}

// The cells beside a tile are written under guards, one thread each.
// launch: passes=uninitialised-shared block=128 grid=any
__global__ void k(const float *in, float *out, int n) {
  __shared__ float s[130];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  s[t + 1] = i < n ? in[i] : 0.0f;
  if (t == 0) s[0] = i > 0 ? in[i - 1] : 0.0f;
  if (t == 127) s[129] = i + 1 < n ? in[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = s[t] + s[t + 1] + s[t + 2];
}

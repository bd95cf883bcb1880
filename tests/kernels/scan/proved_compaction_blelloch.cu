// Exclusive prefix sums of two elements for each thread, up and down a tree.
// launch: grid=any block=256 passes=races
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[512];
  int t = threadIdx.x, a = blockIdx.x * 512 + 2 * t, b = a + 1;
  int of_a = a < n && in[a] > 0, of_b = b < n && in[b] > 0;
  s[2 * t] = of_a;
  s[2 * t + 1] = of_b;
  int o = 1;
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d)
      s[o * (2 * t + 2) - 1] += s[o * (2 * t + 1) - 1];
    o *= 2;
  }
  if (t == 0)
    s[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    o >>= 1;
    __syncthreads();
    if (t < d) {
      int i = o * (2 * t + 1) - 1, j = o * (2 * t + 2) - 1, x = s[i];
      s[i] = s[j];
      s[j] += x;
    }
  }
  __syncthreads();
  if (of_a)
    out[blockIdx.x * 512 + s[2 * t]] = in[a];
  if (of_b)
    out[blockIdx.x * 512 + s[2 * t + 1]] = in[b];
}

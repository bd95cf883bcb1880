// The right halo of a stencil is stored over the last elements of the tile itself.
// launch: grid=any block=128 assume="gridDim.x <= 65535"
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[128 + 6];
  int t = threadIdx.x, g = blockIdx.x * 128 + t;
  s[t + 3] = g < n ? in[g] : 0;   // ~ HD0101
  if (t < 3) {
    s[t] = g >= 3 && g - 3 < n ? in[g - 3] : 0;
    s[t + 128] = g + 128 < n ? in[g + 128] : 0;
  }
  __syncthreads();
  int sum = 0;
  for (int i = -3; i <= 3; i++)
    sum += s[t + 3 + i];
  if (g < n)
    out[g] = sum;
}

// The barrier stands between two blocks of code that share the same divergent condition.
// launch: grid=any block=any
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  bool active = t < n;
  if (active)
    s[t] = in[t];
  __syncthreads();
  if (active && t > 0)
    out[(size_t)blockIdx.x * blockDim.x + t] = s[t - 1];
}

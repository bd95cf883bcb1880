// The threads that stay exchange values with each other only, never with a thread that has returned.
// launch: grid=any block=any
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  if (t >= n || t >= 100)
    return;
  s[t] = in[t];
  __syncthreads();   // ~ HD0203
  if (t > 0)
    out[(size_t)blockIdx.x * 100 + t] = s[t - 1];
}

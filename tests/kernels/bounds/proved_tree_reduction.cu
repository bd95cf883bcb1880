// Each step of a reduction reads the half that is left.
// launch: grid=1 block=128 check-bounds
__global__ void k(int *out, const int *in) {
  __shared__ int s[128];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (threadIdx.x < d)
      s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *out = s[0];
}

// All threads pass the last barrier of a kernel by, or none: the condition is the same for all.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (n > 3) {
    int v = s[63 - t];
    __syncthreads();
    out[t] = v;
  }
}

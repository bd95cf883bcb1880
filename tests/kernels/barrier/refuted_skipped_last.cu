// Threads pass the last barrier of a kernel by: no `return` says that they leave.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < n) {
    int v = s[63 - t];
    __syncthreads();   // ~ HD0201
    out[t] = v;
  }
}

// Threads past the end return before they write what others read.
// launch: passes=uninitialised-shared block=64 grid=2
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = s[63 - threadIdx.x];   // ~ HD0302
}

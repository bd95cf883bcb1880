// A loop by the size of the block, whatever it is, fills what a thread reads later by itself.
// launch: passes=uninitialised-shared block=any grid=any
__global__ void k(const int *in, int *out, int n) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = s[i];
}

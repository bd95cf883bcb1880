// Four words that are read at once were written one by one.
// launch: passes=uninitialised-shared block=64 grid=any
__global__ void k(const int *in, int4 *out) {
  __shared__ __align__(16) int s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 16) out[blockIdx.x * 16 + t] = reinterpret_cast<int4 *>(s)[t];
}

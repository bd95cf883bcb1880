// A block reduction that is called twice protects its buffer with a barrier at its entry.
// launch: grid=1 block=64
__device__ int block_sum(int v) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __syncthreads();
  s[t] = v;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 64; i++)
    sum += s[i];
  return sum;
}
__global__ void k(const int *a, const int *b, int *out) {
  int t = threadIdx.x;
  int x = block_sum(a[t]);
  int y = block_sum(b[t]);
  out[t] = x * y;
}

// Loops whose first test fails, or that are over long before the iteration whose own test would hold.
// launch: grid=2 block=64
__global__ void above(int *out) {
  int t = threadIdx.x;
  for (int i = t; i > 64; i += 3)
    out[t] = blockIdx.x;
}
__global__ void barrier(int *out) {
  int t = threadIdx.x;
  for (int i = t - 64; i >= 0; i += 5)
    if (t & 1)
      __syncthreads();
  if (blockIdx.x == 0)
    out[t] = 1;
}
__global__ void multiple(int *out) {
  int t = threadIdx.x;
  for (int i = t + 1; i % 100 != 0; i++)
    if (i > 100)
      out[0] = t;
}
__global__ void given(int *out, int n) {
  int t = threadIdx.x;
  if (n > 0)
    for (int i = n; i < 0; i -= 3)
      out[0] = t;
}
__global__ void strided(int *out, unsigned size) {
  for (int rank = threadIdx.x, i = rank; i < 100; i += 32u)
    if (i < rank)
      out[0] = rank;
}

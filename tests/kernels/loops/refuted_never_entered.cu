// Loops that are entered, and not over before the iteration in which all threads meet.
// launch: grid=2 block=64
__global__ void above(int *out) {
  int t = threadIdx.x;
  for (int i = t; i > 32; i -= 3)
    out[t] = blockIdx.x;   // ~ HD0102
}
__global__ void barrier(int *out) {
  int t = threadIdx.x;
  for (int i = t - 63; i >= 0; i -= 5)
    if (t & 1)
      __syncthreads();   // ~ HD0201
  if (blockIdx.x == 0)
    out[t] = 1;
}
__global__ void multiple(int *out) {
  int t = threadIdx.x;
  for (int i = t + 1; i % 100 != 0; i++)
    if (i > 98)
      out[0] = t;   // ~ HD0101
}
__global__ void given(int *out, int n) {
  int t = threadIdx.x;
  if (n < 0)
    for (int i = n; i < 0; i += 1 << 28)
      out[0] = t;   // ~ HD0101
}
__global__ void strided(int *out, unsigned size) {
  for (int rank = threadIdx.x, i = rank; i < 100; i += 32u)
    if (i > rank + 40)
      out[0] = rank;   // ~ HD0101
}

// Words without a sign that are no sizes may have their highest bit set, as masks and marks do.
// launch: grid=any block=any
__global__ void highest_bit(int *a, unsigned mask, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask >> 31) a[0] = i; // ~ HD0101
  if (i < n) a[1 + i] = 1;
}

__global__ void mark(int *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n == 0xffffffffu)
    a[0] = (int)i; // ~ HD0101
  else if (i < n)
    a[i] = 1;
}

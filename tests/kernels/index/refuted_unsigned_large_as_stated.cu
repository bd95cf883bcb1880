// The program itself says that its size is 2^31 or more, so that no run without such sizes is left.
// launch: grid=any block=any
__global__ void stated(int *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __builtin_assume(n > 3000000000u);
  if (i < n) a[(i + n) / 2] = (int)i; // ~ HD0101
}

__global__ void divided(int *a, unsigned n, unsigned m) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n / 1024 > 2500000u)
    a[0] = (int)i; // ~ HD0101
  else if (i < m)
    a[i + m] = (int)i;
}

// For each size that is allowed the product is odd.
// launch: grid=1 block=64 assume="n >= 65536 && n % 2 == 1"
__global__ void k(int *out, unsigned n) {
  unsigned i = threadIdx.x, m = n * n;
  out[i * m & 63] = i;
}

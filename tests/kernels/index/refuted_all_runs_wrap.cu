// For each size that is allowed the product wraps around, so that is no reason to leave a run out.
// launch: grid=1 block=64 assume="n >= 65536"
__global__ void k(int *out, unsigned n) {
  unsigned i = threadIdx.x, m = n * n;
  out[i * m & 0xfffff] = i; // ~ HD0101
}

// The bound is an argument, and one above 2^31 wraps nothing around.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  int t = threadIdx.x;
  for (unsigned i = t & 1; i < n; i += 0x70000000u)
    if (i == 0xe0000000u) out[0] = t;   // ~ HD0101
}

// Only one thread has the sum.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  unsigned t = threadIdx.x;
  unsigned x = t + n;
  if (n >= 0x80000000u && x == 0x80000001u) out[0] = t;
}

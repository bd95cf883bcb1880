// Unsigned arguments from 2^31 are numbers like others: their sum with the thread index wraps nothing around.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  unsigned t = threadIdx.x;
  unsigned x = (t & 1) + n;
  if (n >= 0x80000000u && x == 0x80000001u) out[0] = t;   // ~ HD0101
}

// 64 bits, unsigned, above 2^63.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned long long n) {
  int t = threadIdx.x;
  for (unsigned long long i = t & 1; i < n; i += 0x7000000000000000ull)
    if (i == 0xe000000000000000ull) out[0] = t;   // ~ HD0101
}

// The bound keeps the counter below the place that all would write.
// launch: grid=1 block=64 n=9223372036854775807
__global__ void k(int *out, unsigned long long n) {
  int t = threadIdx.x;
  for (unsigned long long i = t & 1; i < n; i += 0x7000000000000000ull)
    if (i == 0xe000000000000000ull) out[0] = t;
}

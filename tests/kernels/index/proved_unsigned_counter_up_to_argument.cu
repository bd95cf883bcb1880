// With a bound below 2^31 no counter gets to the place that all would write.
// launch: grid=1 block=64 n=2147483647
__global__ void k(int *out, unsigned n) {
  int t = threadIdx.x;
  for (unsigned i = t & 1; i < n; i += 0x70000000u)
    if (i == 0xe0000000u) out[0] = t;
}

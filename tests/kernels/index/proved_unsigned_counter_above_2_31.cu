// No even counter has an odd value, above 2^31 either.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  int t = threadIdx.x;
  for (unsigned i = (t & 1) * 2; i < 0xfffffff0u; i += 0x70000000u)
    if (i == 0xe0000001u) out[0] = t;
}

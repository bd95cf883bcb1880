// Constants further apart than the largest signed number: thread 0 by the first and thread 32 by the second meet.
// launch: grid=1 block=64
__global__ void k(char *out) {
  unsigned u = threadIdx.x;
  out[u + 0x80000000u] = u;   // ~ HD0101
  out[u + 0x7fffffe0u] = u + 1;
}
__global__ void wide(char *out) {
  unsigned u = threadIdx.x;
  out[u - 0x80000000u] = u;   // ~ HD0101
  out[u + 0x7fffffffu] = u + 1;
}
__global__ void three(char *out) {
  unsigned u = threadIdx.x;
  out[u + 0xc0000000u] = u;   // ~ HD0101
  out[u + 0x40000000u] = u + 1;
  out[u + 0xbfffffe1u] = u + 2;
}

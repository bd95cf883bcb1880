// Constants further apart than the largest signed number, and by no less than the number of threads.
// launch: grid=1 block=64
__global__ void k(char *out) {
  unsigned u = threadIdx.x;
  out[u + 0x80000000u] = u;
  out[u + 0x7fffffc0u] = u + 1;
}
__global__ void three(char *out) {
  unsigned u = threadIdx.x;
  out[u + 0xc0000000u] = u;
  out[u + 0x40000000u] = u + 1;
  out[u + 0xbfffffc0u] = u + 2;
}

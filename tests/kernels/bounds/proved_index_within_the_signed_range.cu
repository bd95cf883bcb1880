// The sum stays below 2^31 for each number that the condition allows.
// launch: grid=1 block=32 assume="n >= 0 && n < 1000" passes=bounds check-bounds
__global__ void k(unsigned n) {
  __shared__ int s[1];
  unsigned x = n + 0x7fff0000u;
  s[x >> 31] = 1;
}

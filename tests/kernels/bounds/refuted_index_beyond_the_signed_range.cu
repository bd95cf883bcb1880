// For each number that the condition allows, the sum is beyond the signed range.
// launch: grid=1 block=32 assume="n > 0" passes=bounds check-bounds
__global__ void k(unsigned n) {
  __shared__ int s[1];
  unsigned x = n + 0x7fffffffu;
  s[x >> 31] = 1; // ~ HD0301
}

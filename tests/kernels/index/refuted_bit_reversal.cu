// Reversing only five of six bits loses the highest one.
// launch: grid=1 block=64
__global__ void k(int *out) {
  unsigned t = threadIdx.x, r = 0;
  for (int bit = 0; bit < 5; bit++)
    r |= (t >> bit & 1) << (5 - bit);
  out[r] = t;   // ~ HD0101
}

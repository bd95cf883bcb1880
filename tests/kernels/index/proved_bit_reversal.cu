// Reversing the six bits of the thread index is a permutation.
// launch: grid=1 block=64
__global__ void k(int *out) {
  unsigned t = threadIdx.x, r = 0;
  for (int bit = 0; bit < 6; bit++)
    r |= (t >> bit & 1) << (5 - bit);
  out[r] = t;
}

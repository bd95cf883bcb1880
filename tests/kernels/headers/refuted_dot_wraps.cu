// A dot product wraps around: that a sum of positive bytes is larger holds for no sum near the end.
// launch: grid=1 block=64
__global__ void k(int *out, int sum) {
  if (__dp4a(0x01010101, 0x01010101, sum) < sum)
    out[0] = threadIdx.x;  // ~ HD0101
}

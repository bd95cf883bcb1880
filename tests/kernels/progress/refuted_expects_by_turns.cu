// The exchange expects 0 and 1 by turns, and waits for ever where neither is there.
// launch: grid=2 block=1 passes=progress
__global__ void k(unsigned *most) {
  if (threadIdx.x != 0)
    return;
  unsigned expected = 0;
  while (atomicCAS(most, expected, expected + 2) != expected) // ~ HD0503
    expected ^= 1;
}

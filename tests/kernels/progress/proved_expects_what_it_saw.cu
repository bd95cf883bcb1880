// The exchange expects 0 at first and then what it saw, so it fails only if another succeeded.
// launch: grid=2 block=1 passes=progress
__global__ void k(unsigned *most) {
  if (threadIdx.x != 0)
    return;
  unsigned expected = 0, seen;
  while ((seen = atomicCAS(most, expected, expected + 2)) != expected)
    expected = seen;
}

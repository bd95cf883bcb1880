// Blocks that retry also change the location in each round, so each can keep the other from ending.
// launch: grid=2 block=32
__global__ void k(int *f) {
  if (threadIdx.x != 0)
    return;
  int mine = blockIdx.x + 1;
  int seen = 0, expected;
  do {
    expected = seen;
    atomicXor(f, mine); // ~ HD0502
    seen = atomicCAS(f, expected, expected + 4);
    atomicXor(f, mine);
  } while (seen != expected);
}

// A compare-and-swap that is tried again with the value it saw waits for nobody, whoever calls it.
// launch: grid=any block=any
__global__ void k(unsigned *most, int n) {
  unsigned mine = blockIdx.x * 7 + threadIdx.x % 5;
  unsigned old = 0, seen;
  while ((seen = atomicCAS(most, old, mine > old ? mine : old)) != old) old = seen;
}

// A compare-and-swap loop adds to a cell that is touched by atomics only.
// launch: grid=any block=any
__global__ void k(const int *in, int *sum) {
  int v = in[threadIdx.x], old = 0, seen;
  while ((seen = atomicCAS(sum, old, old + v)) != old)
    old = seen;
}

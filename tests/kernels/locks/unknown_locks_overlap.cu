// Two locks of four bytes begin two bytes apart, so that each is changed with the other.
// launch: grid=1 block=64 passes=barrier-divergence,races
__global__ void k(char *locks, int *word) {
  unsigned *lock = (unsigned *)(locks + 2 * (threadIdx.x & 1));
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      word[threadIdx.x & 1] += 1; // ~ HD0002
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

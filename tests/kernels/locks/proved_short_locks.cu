// Locks of 16 bits, taken and released as such.
// launch: grid=1 block=64 passes=barrier-divergence,races
__global__ void k(unsigned short *lock, int *word) {
  int i = threadIdx.x & 3;
  unsigned short zero = 0, one = 1;
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock[i], zero, one) == 0) {
      __threadfence();
      word[i] += 1;
      __threadfence();
      atomicCAS(&lock[i], one, zero);
      done = true;
    }
  }
}

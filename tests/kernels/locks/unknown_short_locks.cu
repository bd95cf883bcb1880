// Locks of 16 bits are released two at a time, by a 32-bit exchange.
// launch: grid=1 block=64 passes=barrier-divergence,races
__global__ void k(unsigned short *lock, int *word) {
  int i = threadIdx.x & 3;
  unsigned short zero = 0, one = 1;
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock[i], zero, one) == 0) {  // ~ HD0002
      __threadfence();
      word[i] += 1; // ~ HD0002
      __threadfence();
      atomicExch((unsigned *)&lock[i & 2], 0u);
      done = true;
    }
  }
}

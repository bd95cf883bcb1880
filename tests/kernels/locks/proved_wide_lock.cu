// Locks of 64 bits, each for one word.
// launch: grid=2 block=64 passes=barrier-divergence,races
__global__ void k(unsigned long long *lock, int *word) {
  int i = threadIdx.x & 3;
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock[i], 0ull, 1ull) == 0) {
      __threadfence();
      word[i] += 1;
      __threadfence();
      atomicExch(&lock[i], 0ull);
      done = true;
    }
  }
}

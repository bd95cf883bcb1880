// Some threads take the lock as 32 bits and some as 64, in the upper half: both may have it.
// launch: grid=1 block=64 passes=barrier-divergence,races
__global__ void k(unsigned long long *lock, int *word) {
  bool done = false;
  while (!done) {
    if (threadIdx.x & 1) {
      if (atomicCAS(lock, 0ull, 1ull << 32) == 0) {  // ~ HD0002
        __threadfence();
        word[0] += 1; // ~ HD0002
        __threadfence();
        atomicExch(lock, 0ull);  // ~ HD0002
        done = true;
      }
    } else if (atomicCAS((unsigned *)lock, 0u, 1u) == 0) {
      __threadfence();
      word[0] += 1; // ~ HD0002
      __threadfence();
      atomicExch((unsigned *)lock, 0u);
      done = true;
    }
  }
}

// One thread releases with a 64-bit exchange, which frees the next lock as well.
// launch: grid=1 block=64 passes=barrier-divergence,races
__global__ void k(unsigned *lock, int *a, int *b) {
  bool done = false;
  while (!done) {
    if (threadIdx.x == 0 && atomicCAS(&lock[0], 0, 1) == 0) {
      __threadfence();
      a[0] += 1;
      __threadfence();
      atomicExch((unsigned long long *)lock, 0ull);  // ~ HD0002
      done = true;
    }
    if (threadIdx.x != 0 && atomicCAS(&lock[1], 0, 1) == 0) {
      __threadfence();
      b[0] += 1; // ~ HD0002
      __threadfence();
      atomicExch(&lock[1], 0);
      done = true;
    }
  }
}

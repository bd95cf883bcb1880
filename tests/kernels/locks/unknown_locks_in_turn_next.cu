// The index goes up before the release, which frees the next lock.
// launch: grid=2 block=1 passes=barrier-divergence,races
__global__ void k(unsigned *lock, int *word) {
  int i = 0;
  while (i < 8) {
    while (atomicCAS(&lock[i], 0, 1) != 0) {
    }
    __threadfence();
    word[i] += 1; // ~ HD0002
    i++;
    __threadfence();
    atomicExch(&lock[i], 0);
  }
}

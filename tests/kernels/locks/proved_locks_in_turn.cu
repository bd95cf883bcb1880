// One lock after the other is taken and released, each in its own iteration.
// launch: grid=2 block=1 passes=barrier-divergence,races
__global__ void k(unsigned *lock, int *word) {
  for (int i = 0; i < 8; i++) {
    while (atomicCAS(&lock[i], 0, 1) != 0) {
    }
    __threadfence();
    word[i] += 1;
    __threadfence();
    atomicExch(&lock[i], 0);
  }
}

// The lock that an iteration releases is the one it will take, not the one that it took in the iteration before.
// launch: grid=2 block=1 passes=barrier-divergence,races
__global__ void k(unsigned *lock, int *word) {
  for (int i = 0; i < 8; i++) {
    if (i > 0) atomicExch(&lock[i], 0);
    while (atomicCAS(&lock[i], 0, 1) != 0) {
    }
    __threadfence();
    word[i] += 1; // ~ HD0002
    __threadfence();
  }
}

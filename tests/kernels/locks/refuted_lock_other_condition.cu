// The lock is taken and released under a condition; the word is changed without.
// launch: grid=4 block=1 passes=barrier-divergence,races
__device__ int lock;
__global__ void k(int *word, const int *in) {
  bool locked = in[blockIdx.x] > 3;
  if (locked)
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
  __threadfence();
  word[0] += 1; // ~ HD0102
  __threadfence();
  if (locked) atomicExch(&lock, 0);
}

// The highest bit of a word is a lock, found by the sign.
// launch: grid=any block=any passes=races
__global__ void k(int *word, int *data) {
  if (threadIdx.x == 0) {
    while (atomicOr(word, 0x80000000) < 0) {
    }
    __threadfence();
    data[0] += 1;
    __threadfence();
    atomicAnd(word, 0x7fffffff);
  }
}

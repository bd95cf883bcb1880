// The number of the bit may be beyond the word, so that there is no bit.
// launch: grid=any block=any passes=races
__global__ void k(unsigned *words, int *data, const unsigned *which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned slot = which[i], bit = 1u << slot;
    bool done = false;
    while (!done) {
      if (!(atomicOr(&words[slot >> 5], bit) & bit)) {
        __threadfence();
        data[slot] += 1;  // ~ HD0101
        __threadfence();
        atomicAnd(&words[slot >> 5], ~bit);
        done = true;
      }
    }
  }
}

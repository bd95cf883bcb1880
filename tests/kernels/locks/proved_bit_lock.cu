// A bit of a word is a lock, whatever the other bits are locks for.
// launch: grid=any block=any passes=races
__global__ void k(unsigned *words, int *data, const unsigned *which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned slot = which[i], bit = 1u << (slot & 31u);
    bool done = false;
    while (!done) {
      if (!(atomicOr(&words[slot >> 5], bit) & bit)) {
        __threadfence();
        data[slot] += 1;
        __threadfence();
        atomicAnd(&words[slot >> 5], ~bit);
        done = true;
      }
    }
  }
}

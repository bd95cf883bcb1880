// A release clears the locks of all the bits.
// launch: grid=any block=any passes=races
__global__ void k(unsigned *words, int *data, const unsigned *which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned slot = which[i], bit = 1u << (slot & 31u);
    bool done = false;
    while (!done) {
      if (!(atomicOr(&words[slot >> 5], bit) & bit)) {
        __threadfence();
        data[slot] += 1;  // ~ HD0002 HD0102
        __threadfence();
        atomicAnd(&words[slot >> 5], 0u);
        done = true;
      }
    }
  }
}

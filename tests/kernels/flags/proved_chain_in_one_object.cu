// Flag and data alternate in one array.
// launch: grid=any block=any passes=races
__global__ void k(int *words, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    words[2 * b] = b;
    __threadfence();
    atomicExch(words + 2 * b + 1, 1);
    if (b > 0 && atomicOr(words + 2 * b - 1, 0)) {
      __threadfence();
      out[b] = words[2 * b - 2];
    }
  }
}

// One slot that is full or empty.
// launch: grid=2 block=1 passes=races
__global__ void k(int *slot, volatile int *full, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      while (*full) {}
      __threadfence();
      *slot = i;
      __threadfence();
      *full = 1;
    }
  } else {
    for (int i = 0; i < n; i++) {
      while (!*full) {}
      __threadfence();
      out[i] = *slot;
      __threadfence();
      *full = 0;
    }
  }
}

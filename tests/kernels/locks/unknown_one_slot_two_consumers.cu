// Two threads empty the slot.
// launch: grid=3 block=1 passes=races
__global__ void k(int *slot, volatile int *full, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      while (*full) {}
      __threadfence(); *slot = i; __threadfence(); // ~ HD0002
      *full = 1;
    }
  } else {
    for (int i = 0; i < n; i++) {
      while (!*full) {}
      __threadfence(); *slot += 1; __threadfence(); // ~ HD0002
      *full = 0;
    }
  }
}

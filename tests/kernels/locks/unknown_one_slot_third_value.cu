// Both go on at a third value.
// launch: grid=2 block=1 passes=races
__global__ void k(int *slot, volatile int *full, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      while (*full == 1) {}
      __threadfence(); *slot += i; __threadfence(); // ~ HD0002
      *full = 1 + (i & 1);
    }
  } else {
    for (int i = 0; i < n; i++) {
      while (*full == 0) {}
      __threadfence(); *slot += i; __threadfence(); // ~ HD0002
      *full = 0;
    }
  }
}

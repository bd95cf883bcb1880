// The turn is given away in the round after.
// launch: grid=2 block=1 passes=races
__global__ void k(int *slot, volatile int *full, int n) {
  int me = blockIdx.x;
  for (int i = 0; i < n; i++) {
    if (i > 0) { __threadfence(); *full = 1 - me; }
    while (*full != me) {}
    __threadfence();
    *slot += i; // ~ HD0002
  }
}

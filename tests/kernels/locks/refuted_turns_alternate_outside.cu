// The word is changed after the turn was given away.
// launch: grid=2 block=1 passes=races
__global__ void k(int *slot, volatile int *turn, int n) {
  int me = blockIdx.x;
  for (int i = 0; i < n; i++) {
    while (*turn != me) {}
    __threadfence(); *slot += i; __threadfence(); // ~ HD0102
    *turn = 1 - me;
    slot[0] += 1; // ~ HD0102
  }
}

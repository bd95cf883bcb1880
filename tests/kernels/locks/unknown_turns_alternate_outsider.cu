// A thread writes the turn when it is not its own.
// launch: grid=2 block=1 passes=races
__global__ void k(int *slot, volatile int *turn, int n, int q) {
  int me = blockIdx.x;
  for (int i = 0; i < n; i++) {
    while (*turn != me) {}
    __threadfence(); *slot += i; __threadfence(); // ~ HD0002
    *turn = 1 - me;
  }
  if (q) *turn = 0;
}

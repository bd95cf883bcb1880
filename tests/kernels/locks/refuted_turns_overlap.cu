// A section begins before another one of the same word ends.
// launch: grid=4 block=1 passes=races
__global__ void k(int *data, volatile int *turn, int a, int b) {
  int me = blockIdx.x;
  while (turn[a] != me) {}
  while (turn[b] != me) {}
  __threadfence();
  data[a] += 1; // ~ HD0102
  __threadfence();
  turn[a] = me + 1;
  __threadfence();
  data[b] += 1; // ~ HD0102
  __threadfence();
  turn[b] = me + 1;
}

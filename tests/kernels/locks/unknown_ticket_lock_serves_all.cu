// A thread that has no number serves the first.
// launch: grid=any block=1 passes=races
__global__ void k(int *data, unsigned *next, volatile unsigned *serving) {
  unsigned mine = atomicAdd(next, 1);
  while (*serving != mine) {
  }
  __threadfence();
  data[0] += 1;   // ~ HD0002
  __threadfence();
  *serving = mine + 1;
  if (data[1] > 3) *serving = 0;
}

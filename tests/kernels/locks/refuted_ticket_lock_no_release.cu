// No fence stands before the next number is served.
// launch: grid=any block=1 passes=races
__global__ void k(int *data, unsigned *next, volatile unsigned *serving) {
  unsigned mine = atomicAdd(next, 1);
  while (*serving != mine) {
  }
  __threadfence();
  data[0] += 1;   // ~ HD0102
  *serving = mine + 1;
}

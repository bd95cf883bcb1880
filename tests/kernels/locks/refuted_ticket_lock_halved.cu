// Two threads have the same number.
// launch: grid=any block=1 passes=races
__global__ void k(int *data, unsigned *next, volatile unsigned *serving) {
  unsigned mine = atomicAdd(next, 1) / 2;
  while (*serving != mine) {
  }
  __threadfence();
  data[0] += 1; // ~ HD0102
  __threadfence();
  *serving = mine + 1;
}

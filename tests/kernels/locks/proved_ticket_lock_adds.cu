// The number that is served is counted on by an atomic.
// launch: grid=any block=1 passes=races
__global__ void k(int *data, unsigned *next, volatile unsigned *serving) {
  unsigned mine = atomicAdd(next, 1);
  while (*serving != mine) {
  }
  __threadfence();
  data[0] += 1;
  __threadfence();
  atomicAdd((unsigned *)serving, 1);
}

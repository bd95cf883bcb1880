// The number that is served is counted on twice.
// launch: grid=any block=1 passes=races
__global__ void k(int *data, unsigned *next, volatile unsigned *serving) {
  unsigned mine = atomicAdd(next, 1);
  while (*serving != mine) {
  }
  __threadfence();
  data[0] += 1;   // ~ HD0002
  __threadfence();
  atomicAdd((unsigned *)serving, 1), atomicAdd((unsigned *)serving, 1);
}

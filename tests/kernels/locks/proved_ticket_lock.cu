// Who is served has the number that was drawn.
// launch: grid=any block=1 passes=races
__global__ void k(int *data, unsigned *next, volatile unsigned *serving) {
  unsigned mine = atomicAdd(next, 1);
  while (*serving != mine) {
  }
  __threadfence();
  data[0] += 1;
  __threadfence();
  *serving = mine + 1;
}

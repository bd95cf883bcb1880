// A thread goes on at half of its number.
// launch: grid=4 block=1 passes=races
__global__ void k(int *data, unsigned *next, volatile unsigned *serving) {
  unsigned mine = atomicAdd(next, 1);
  while (*serving < mine / 2) {}
  __threadfence();
  data[0] += 1; // ~ HD0102
  __threadfence();
  atomicAdd((unsigned *)serving, 1);
}

// A chained scan over tiles that blocks draw from a counter.
// launch: grid=any block=1 passes=races
__global__ void k(int *prefix, volatile int *flag, int *counter, int tiles) {
  int tile;
  while ((tile = atomicAdd(counter, 1)) < tiles) {
    int before = 0;
    if (tile > 0) {
      while (flag[tile - 1] == 0) {}
      __threadfence();
      before = prefix[tile - 1];
    }
    prefix[tile] = before + 1;
    __threadfence();
    flag[tile] = 1;
  }
}

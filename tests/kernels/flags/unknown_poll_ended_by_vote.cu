// Each lane polls its flag until no lane of the warp reads zero: the vote, and not the read, ends the loop.
// launch: grid=2 block=32 passes=inter-block-race
__global__ void k(volatile int *f, int *x, int *o) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    x[t] = t;   // ~ HD0002
    __threadfence();
    f[t] = 1;
  } else {
    while (__any_sync(~0u, f[t] == 0))
      ;
    __threadfence();
    o[t] = x[t];
  }
}

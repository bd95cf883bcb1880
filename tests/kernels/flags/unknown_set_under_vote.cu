// A flag is set where a vote of the warp says so, and it does.
// launch: grid=2 block=32 passes=inter-block-race
__global__ void k(volatile int *f, int *x, int *o) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    x[t] = t;   // ~ HD0002
    __threadfence();
    if (__all_sync(~0u, t < 32))
      f[t] = 1;
  } else {
    while (f[t] == 0)
      ;
    __threadfence();
    o[t] = x[t];
  }
}

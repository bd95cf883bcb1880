// Whether a flag is polled at all is what a vote says, and it says yes.
// launch: grid=2 block=32 passes=inter-block-race
__global__ void k(volatile int *f, int *x, int *o) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    x[t] = t;   // ~ HD0002
    __threadfence();
    f[t] = 1;
  } else {
    if (__any_sync(~0u, 1)) {
      while (f[t] == 0)
        ;
      __threadfence();
    }
    o[t] = x[t];
  }
}

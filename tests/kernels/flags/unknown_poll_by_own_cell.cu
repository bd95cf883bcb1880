// What a thread polls goes through a cell of its own in shared memory, which ends the loop.
// launch: grid=2 block=32 passes=inter-block-race
__global__ void k(volatile int *f, int *x, int *o) {
  __shared__ volatile int seen[32];
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    x[t] = t;   // ~ HD0002
    __threadfence();
    f[t] = 1;   // ~ HD0002
  } else {
    do
      seen[t] = f[t];
    while (seen[t] == 0);
    __threadfence();
    o[t] = x[t];
  }
}

// A guard that the program excludes: a run with a value that breaks its promise shows nothing.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  __builtin_assume(n <= 32);
  __shared__ int s;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) s = n;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    if (n > 40 && threadIdx.x == 0) s = 0;
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = s;
  }
}

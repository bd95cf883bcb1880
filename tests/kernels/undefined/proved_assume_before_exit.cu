// What is assumed is met by each thread that stores.
// launch: grid=1 block=64
__global__ void k(int *x, int n) {
  int t = threadIdx.x;
  __builtin_assume(n > 1);
  x[t / (n < 2 ? 2 : 1)] = t;
  if (n) asm volatile("exit;");
}

// All threads end before they come to what is assumed.
// launch: grid=1 block=64
__global__ void k(int *x, int n) {
  int t = threadIdx.x;
  x[t / 2] = t; // ~ HD0101
  if (n) asm volatile("exit;");
  __builtin_assume(t < 1);
}

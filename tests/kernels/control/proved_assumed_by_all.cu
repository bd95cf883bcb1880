// Each of 64 threads assumes that its number is below n: n is not zero.
// launch: grid=1 block=64
__global__ void k(int *a, int n) {
  int t = threadIdx.x;
  __builtin_assume(t < n);
  if (n == 0 && t < 2) a[0] = t;
}

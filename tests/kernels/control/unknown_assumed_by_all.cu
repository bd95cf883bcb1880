// Each of 64 threads assumes that its number is below n: with n below 40 a thread breaks that, and there is no such run.
// launch: grid=1 block=64
__global__ void k(int *a, int n) {
  int t = threadIdx.x;
  __builtin_assume(t < n);
  if (n < 40 && t < 2) a[0] = t; // ~ HD0002
}

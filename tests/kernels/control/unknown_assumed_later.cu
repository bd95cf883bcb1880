// The assumption stands after the store: a thread that breaks it makes all of the run undefined.
// launch: grid=1 block=64
__global__ void k(int *a, int n) {
  int t = threadIdx.x;
  if (n < 40 && t < 2) a[0] = t; // ~ HD0002
  __builtin_assume(t < n);
}

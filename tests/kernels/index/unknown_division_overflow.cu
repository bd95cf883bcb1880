// The least number divided by minus one has no value: no run has a negative one.
// launch: grid=1 block=64
__global__ void k(int *a, int n, int m) {
  int q = n / m;
  if (m == -1 && n < -2147483647 && q < 0) a[0] = threadIdx.x; // ~ HD0002
}

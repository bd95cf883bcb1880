// Threads from n on reach what cannot be reached.
// launch: grid=1 block=64
__global__ void k(int *a, int n) {
  int t = threadIdx.x;
  if (t >= n) __builtin_unreachable();
  if (n < 40 && t < 2) a[0] = t; // ~ HD0002
}

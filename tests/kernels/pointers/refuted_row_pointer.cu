// Each thread walks one element past the end of its row.
// launch: grid=1 block=64 n=16
__global__ void k(int *m, int n) {
  int *p = m + (long long)threadIdx.x * n, *end = p + n;
  for (; p <= end; p++)
    *p = threadIdx.x;   // ~ HD0101
}

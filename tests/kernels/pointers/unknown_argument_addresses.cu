// Two addresses of arrays of the caller are kept in the thread's own memory, and one is taken from the other.
// launch: grid=1 block=32
typedef unsigned long long u64;
__global__ void k(int *a, int *b, int n) {
  u64 kept[4];
  int t = threadIdx.x;
  kept[n & 1] = (u64)a;
  kept[2 + (n & 1)] = (u64)b;
  int *at = (int *)((u64)a + 4 * t + (kept[2 + (n & 1)] - kept[n & 1]));
  *at = t;                                 // ~ HD0002
  b[t ^ 1] = 7;
}

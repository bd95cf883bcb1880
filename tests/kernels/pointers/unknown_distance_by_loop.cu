// A loop counts how far two arrays are apart.
// launch: grid=1 block=32
typedef unsigned long long u64;
__global__ void k(int *out) {
  __shared__ int a[64], b[64];
  int t = threadIdx.x;
  u64 first = (u64)a, second = (u64)b, there = 0;
  while (first + there != second)
    there += 4;
  *(int *)(first + 4 * t + there) = t;     // ~ HD0002
  b[t ^ 1] = 7;
  out[t] = 1;
}

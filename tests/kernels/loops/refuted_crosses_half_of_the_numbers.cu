// A counter crosses more than half of the numbers of its type without an overflow: the distance is none of them.
// launch: grid=1 block=64
__global__ void up(int *out) {
  int t = threadIdx.x;
  for (int i = -2147483647; i < 1000000001; i += 1000000000)
    if (i > 500000000)
      out[0] = t;   // ~ HD0101
}
__global__ void down(int *out) {
  int t = threadIdx.x;
  for (int i = 2000000000; i > -1500000000; i -= 1000000000)
    if (i < 0)
      out[0] = t;   // ~ HD0101
}
__global__ void by(int *out, int s) {
  int t = threadIdx.x;
  for (int k = 0, i = -2147483647; k < 3; k++, i += s)
    if (k == 2 && i > 700000000)
      out[0] = t;   // ~ HD0101
}
__global__ void from(int *out, int n) {
  int t = threadIdx.x;
  for (int k = 0, i = n; k < 3; k++, i += 1431000000)
    if (k == 2)
      out[i > 700000000 ? 0 : t] = t;   // ~ HD0101
}

// A counter crosses more than half of the numbers of its type without an overflow, and never stands above its end.
// launch: grid=1 block=64
__global__ void up(int *out) {
  int t = threadIdx.x;
  for (int i = -2147483647; i < 1000000001; i += 1000000000)
    if (i > 1000000000)
      out[0] = t;
}
__global__ void by(int *out, int s) {
  int t = threadIdx.x;
  for (int i = t; i < 1000 && s > 0; i += s)
    if (i < t)
      out[0] = t;
}

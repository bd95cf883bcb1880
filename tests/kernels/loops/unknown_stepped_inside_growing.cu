// The loop inside runs longer in each round, and the row is long enough: not followed.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x, p = t * 14;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < i; ++j)
      out[p++] = t; // ~ HD0002
  out[p + 3] = t;
}

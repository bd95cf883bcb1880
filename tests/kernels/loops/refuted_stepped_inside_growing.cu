// The loop inside runs longer in each round: the step of a round is none that stays the same.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x, p = t * 12;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < i; ++j)
      out[p++] = t; // ~ HD0101
  out[p + 3] = t;
}

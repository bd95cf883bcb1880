// The loop inside runs longer in each round: the step of a round is none that stays the same.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x, p = t * 12;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < i; ++j) // twelve elements would be 5 rounds of 2 and 2 more
      out[p++] = t;
  out[p + 3] = t; // ~ HD0101
}

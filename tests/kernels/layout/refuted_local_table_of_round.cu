// Each round has a table of its own; the second one has rows that are too near.
// launch: grid=1 block=64
__global__ void k(float *out, const float *in) {
  int t = threadIdx.x;
  for (int round = 0; round < 2; round++) {
    int row[4] = {0, 64, 192, 128};
    row[round] += round * 63;
    for (int d = 0; d < 4; d++)
      out[row[d] + t] = in[d] * t + 1;  // ~ HD0101
  }
}

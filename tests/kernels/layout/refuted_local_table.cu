// A table of the thread's own, of which two rows are 63 elements apart.
// launch: grid=1 block=64
__global__ void k(float *out, const float *in) {
  const int row[4] = {0, 63, 192, 128};
  int t = threadIdx.x;
  for (int d = 0; d < 4; d++)
    out[row[d] + t] = in[d] * t + 1;  // ~ HD0101
}

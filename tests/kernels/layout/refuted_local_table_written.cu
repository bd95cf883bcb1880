// A table of the thread's own that is changed where the host says so.
// launch: grid=1 block=64
__global__ void k(float *out, const float *in, int n) {
  int row[4] = {0, 64, 192, 128};
  int t = threadIdx.x;
  if (n > 2)
    row[1] = 63;
  for (int d = 0; d < 4; d++)
    out[row[d] + t] = in[d] * t + 1;  // ~ HD0101 HD0002
}

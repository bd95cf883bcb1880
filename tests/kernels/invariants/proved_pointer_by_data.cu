// A pointer goes on by a row of the grid where the data say so.
// launch: grid=4 block=64
__global__ void k(float *out, const int *in, int n) {
  float *p = out + blockIdx.x * 64 + threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (in[i] > 2) p += 256;
    *p = i;
  }
}

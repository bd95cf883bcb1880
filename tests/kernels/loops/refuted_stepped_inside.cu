// A loop inside steps the pointer by one element too few.
// launch: grid=1 block=any
__global__ void k(float *out, const float *in, int n, int rows, int columns) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  float *p = out + t;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      *p = in[t + i * columns + j]; // ~ HD0101
      p += n - 1;
    }
}

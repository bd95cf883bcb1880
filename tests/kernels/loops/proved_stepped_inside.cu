// A loop inside steps the pointer of the loop around it, equally often in each round.
// launch: grid=any block=any
__global__ void k(float *out, const float *in, int n, int rows, int columns) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  float *p = out + t;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      *p = in[i * columns + j];
      p += n;
    }
}

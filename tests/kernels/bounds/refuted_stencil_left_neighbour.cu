// The first thread of the grid reads before the buffer.
// launch: grid=4 block=64 size=in=n size=out=n check-bounds
__global__ void k(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    out[i] = in[i - 1] + in[i] + in[i + 1]; // ~ HD0301
}

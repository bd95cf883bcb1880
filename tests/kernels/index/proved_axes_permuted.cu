// The axes of an array change places, by chains of quotients and remainders of signed sizes that may have any sign.
// launch: grid=any block=any
__global__ void k(const float *x, float *out, int w, int h, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c * h * w)
    return;
  int a = i / (h * w), b = i / w % h, d = i % w;
  out[(d * h + b) * c + a] = x[i];
}

// Rounded up and rounded down, two sums need not agree: whether threads meet is not known.
// launch: grid=1 block=64
__global__ void k(int *out, const float *in) {
  float x = in[threadIdx.x];
  if (__float_as_int(__fadd_ru(x, 0.1f)) != __float_as_int(__fadd_rd(x, 0.1f)))
    out[0] = threadIdx.x;  // ~ HD0002
}

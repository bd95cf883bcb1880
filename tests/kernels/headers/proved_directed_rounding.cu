// One sum rounded up agrees with itself, and fast functions are computed from their arguments alone.
// launch: grid=1 block=64
__global__ void k(int *out, const float *in) {
  float x = in[threadIdx.x];
  if (__float_as_int(__fadd_ru(x, 0.1f)) != __float_as_int(__fadd_ru(x, 0.1f)) || __sinf(in[0]) > 2.0f)
    __syncthreads();
  out[threadIdx.x] = 1;
}

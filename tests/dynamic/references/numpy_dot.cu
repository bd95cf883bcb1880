// A scalar product, by halves of a warp.
// run: grid=1 block=32 gives 44ad3800
__device__ float f(unsigned i) { return (float)(i * 37 % 101) / 8.0f; }

__global__ void dot(float *out) {
  unsigned t = threadIdx.x;
  float sum = f(t) * f(31 - t);
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (t == 0) out[0] = sum;
}

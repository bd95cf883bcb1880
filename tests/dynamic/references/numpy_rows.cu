// Sums of distances along rows of eight.
// run: grid=1 block=32 gives 41c50000 41ca0000 41d10000 41d40000
__device__ float f(unsigned i) { return (float)(i * 37 % 101) / 8.0f; }

__global__ void rows(float *out) {
  unsigned t = threadIdx.x;
  float sum = fabsf(f(t) - 6.0f);
  for (int d = 4; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (t % 8 == 0) out[t / 8] = sum;
}

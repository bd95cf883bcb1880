// Means of four elements that follow each other.
// run: grid=1 block=32 gives 40720000 40a80000 40d70000 40a10000 40d00000 40ff0000 40c90000 40f80000 40c20000 408c0000 40bb0000 40850000 40b40000 40e30000 40ad0000 40dc0000 41058000 40d50000 41020000 40ce0000 40980000 40c70000 40910000 40c00000 40ef0000 40b90000 40e80000 410b8000 40e10000
__device__ float f(unsigned i) { return (float)(i * 37 % 101) / 8.0f; }

__global__ void windows(float *out) {
  unsigned t = threadIdx.x;
  __shared__ float s[32];
  s[t] = f(t);
  __syncthreads();
  if (t < 29) out[t] = (s[t] + s[t + 1] + s[t + 2] + s[t + 3]) / 4.0f;
}

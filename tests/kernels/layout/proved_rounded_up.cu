// An array in dynamic shared memory starts where its address is rounded up to.
// launch: grid=any block=64 passes=races
__global__ void k(float *out) {
  extern __shared__ unsigned char raw[];
  float *s = (float *)(((unsigned long long)raw + 1023) & ~1023ull);
  float *beyond = (float *)(((unsigned long long)(s + 64) + 127) & ~127ull);
  s[threadIdx.x] = 1;
  beyond[threadIdx.x] = 2;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x] + beyond[63 - threadIdx.x];
}

// The second array starts within the first one, as its address is rounded down.
// launch: grid=any block=64 passes=races
__global__ void k(float *out) {
  extern __shared__ unsigned char raw[];
  float *s = (float *)(((unsigned long long)raw + 1023) & ~1023ull);
  float *beyond = (float *)((unsigned long long)(s + 48) & ~127ull);
  s[threadIdx.x] = 1; // ~ HD0101
  beyond[threadIdx.x] = 2;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x] + beyond[63 - threadIdx.x];
}

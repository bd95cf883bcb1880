// 64 bits wrap around as well.
// launch: grid=1 block=64 n=9223372036854775808
__global__ void k(int *out, unsigned long long n) {
  unsigned long long t = threadIdx.x, x = t * n;
  if (t > 0 && x == 0) __syncthreads();   // ~ HD0201
  out[t] = 2;
}

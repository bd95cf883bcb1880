// Thread indices times this argument stay below 2^64.
// launch: grid=1 block=64 n=288230376151711744
__global__ void k(int *out, unsigned long long n) {
  unsigned long long t = threadIdx.x, x = t * n;
  if (t > 0 && x == 0) __syncthreads();
  out[t] = 2;
}

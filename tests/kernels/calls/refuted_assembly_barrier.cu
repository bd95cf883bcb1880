// A memory fence in inline assembly is no barrier.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];   // ~ HD0101
  asm volatile("membar.cta;" ::: "memory");
  out[t] = s[63 - t];
}

// The block barrier is written in inline assembly.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  asm volatile("bar.sync 0;" ::: "memory");
  out[t] = s[63 - t];
}

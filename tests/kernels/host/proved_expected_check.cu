// A check of the host that says what it expects is one as any other.
// launch: as-launched
__global__ void k(int *out, int n) {
  out[threadIdx.x * n] = threadIdx.x;
}
void run(int *out, int n) {
  if (__builtin_expect(n <= 0, 0) || n > 1000) return;
  k<<<1, 64>>>(out, n);
}

// The byte that is written is read before the check.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
struct Holder { int stride; };
void run(int *out, int n, Holder *holder, char *byte) {
  *byte = 0;
  if (holder->stride < 1 || holder->stride > 8) return;
  k<<<1, 64>>>(out, n, holder->stride);
}

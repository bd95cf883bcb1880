// The stride is read from a union as it was checked.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
union Word { int whole; unsigned char bytes[4]; };
void run(int *out, int n, int stride) {
  Word word;
  word.whole = stride;
  if (word.whole < 1 || word.whole > 8) return;
  k<<<1, 64>>>(out, n, word.whole);
}

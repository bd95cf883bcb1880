// The host's unsigned product of a small size is not zero.
// launch: as-launched
__global__ void k(int *out, unsigned n, unsigned stride) { out[threadIdx.x * stride] = threadIdx.x; }
void run(int *out, unsigned n) {
  if (n != 0 && n < 64)
    k<<<1, 64>>>(out, n, n * 64u);
}

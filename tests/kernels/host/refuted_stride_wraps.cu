// The host's unsigned product is zero for some sizes.
// launch: as-launched
__global__ void k(int *out, unsigned n, unsigned stride) { out[threadIdx.x * stride] = threadIdx.x; } // ~ HD0101
void run(int *out, unsigned n) {
  if (n != 0)
    k<<<1, 64>>>(out, n, n * 65536u);
}

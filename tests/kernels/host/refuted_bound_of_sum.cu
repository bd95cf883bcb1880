// A check of a sum that lets its second number be larger than the kernel takes.
// launch: as-launched
__global__ void k(int *out, int n) {
  if (n > 100) out[0] = threadIdx.x; // ~ HD0101
}
void run(int *out, int x, int y) {
  if (x < 0 || x + y > 200) return;
  k<<<1, 64>>>(out, y);
}

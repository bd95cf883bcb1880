// Both sides of a check that did not fail were computed: a sum of the host in it has not wrapped around.
// launch: as-launched
__global__ void k(int *out, int n) {
  if (n > 100) out[0] = threadIdx.x;
}
void run(int *out, int x, int y) {
  if (x < 0 || x + y > 100) return;
  k<<<1, 64>>>(out, y);
}

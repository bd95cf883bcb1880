// A width that is chosen in one arm, where other widths end the program, says nothing of the other arm.
// launch: as-launched
__global__ void k(int *out, int n, int apart) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * apart] = i;  // ~ HD0101
}
void done(int);
int run(int *out, int n) {
  int apart;
  if (n < 1 || n > 1 << 20) return 1;
  if (n < 640) {
    apart = 0;
  } else {
    int width;
    if (n % 3 == 0) {
      width = 3;
    } else if (n % 2 == 0) {
      width = 2;
    } else {
      return 1;
    }
    done(width);
    apart = width;
  }
  k<<<(n + 63) / 64, 64>>>(out, n, apart);
  return 0;
}

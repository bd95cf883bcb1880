// The second half of the buffer begins before the first one ends.
// launch: as-launched
__global__ void k(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];  // ~ HD0101
}
void run(int *buffer, int n) {
  if (n > 8 && n < 1 << 20) k<<<(n + 255) / 256, 256>>>(buffer + n - 4, buffer, n);
}

// The two halves of one buffer are read and written.
// launch: as-launched
__global__ void k(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
void run(int *buffer, int n) {
  if (n > 0 && n < 1 << 20) k<<<(n + 255) / 256, 256>>>(buffer + n, buffer, n);
}

// The static launcher gets one buffer twice.
// launch: as-launched
__global__ void k(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1];  // ~ HD0101
}
static void launch(int *out, const int *in, int n) { k<<<1, 64>>>(out, in, n); }
void run(int *buffer, int n) { launch(buffer, buffer, n); }

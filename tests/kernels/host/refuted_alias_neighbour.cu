// A thread reads what its neighbour writes: both pointers are one buffer.
// launch: as-launched
__global__ void k(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1];  // ~ HD0101
}
void run(int *buffer, int n) { k<<<1, 256>>>(buffer, buffer, n); }

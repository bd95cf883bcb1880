// Which kernel is launched goes by a width that is a multiple of 32; LLVM tells the cases by a rotation.
// launch: as-launched
template <int V> __global__ void rows(int n, int width, const float *in, float *out) {
  int row = blockIdx.x * (blockDim.x / V) + threadIdx.x / V;
  if (row < n) out[row * width + threadIdx.x % V] = in[row];
}
void all(int n, int width, const float *in, float *out) {
  switch (width) {
  case 32: rows<32><<<(n + 7) / 8, 256>>>(n, width, in, out); break;
  case 64: rows<64><<<(n + 3) / 4, 256>>>(n, width, in, out); break;
  case 96: rows<96><<<(n + 1) / 2, 192>>>(n, width, in, out); break;
  case 128: rows<128><<<(n + 1) / 2, 256>>>(n, width, in, out); break;
  }
}

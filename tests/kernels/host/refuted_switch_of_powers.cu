// As proved_switch_of_powers.cu, and one of the widths has the kernel of the next.
// launch: as-launched
template <int V> __global__ void rows(int n, int width, const float *in, float *out) {
  int row = blockIdx.x * (blockDim.x / V) + threadIdx.x / V;
  if (row < n) out[row * width + threadIdx.x % V] = in[row];  // ~ HD0101
}
void all(int n, int width, const float *in, float *out) {
  switch (width) {
  case 1: rows<1><<<(n + 255) / 256, 256>>>(n, width, in, out); break;
  case 2: rows<2><<<(n + 127) / 128, 256>>>(n, width, in, out); break;
  case 4: rows<8><<<(n + 31) / 32, 256>>>(n, width, in, out); break;
  case 16: rows<16><<<(n + 15) / 16, 256>>>(n, width, in, out); break;
  case 32: rows<32><<<(n + 7) / 8, 256>>>(n, width, in, out); break;
  }
}

// As proved_switch_of_multiples.cu, and one of the widths has the kernel of the next.
// launch: as-launched
template <int V> __global__ void rows(int n, int width, const float *in, float *out) {
  int row = blockIdx.x * (blockDim.x / V) + threadIdx.x / V;
  if (row < n) out[row * width + threadIdx.x % V] = in[row];  // ~ HD0101
}
void all(int n, int width, const float *in, float *out) {
  switch (width) {
  case 32: rows<32><<<(n + 7) / 8, 256>>>(n, width, in, out); break;
  case 64: rows<64><<<(n + 3) / 4, 256>>>(n, width, in, out); break;
  case 96: rows<128><<<(n + 1) / 2, 256>>>(n, width, in, out); break;
  case 160: rows<160><<<n, 160>>>(n, width, in, out); break;
  }
}

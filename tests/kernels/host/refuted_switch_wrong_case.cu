// One of the cases launches the instance for another size.
// launch: as-launched
template <int B> __global__ void k(int *out) {
  int t = threadIdx.x;
  out[blockIdx.x * B + t] = t;  // ~ HD0102
}
void run(int *out, int threads) {
  switch (threads) {
  case 64: k<64><<<8, threads>>>(out); break;
  case 256: k<128><<<8, threads>>>(out); break;
  }
}

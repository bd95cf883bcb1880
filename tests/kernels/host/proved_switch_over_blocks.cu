// Each size of the block launches the instance of the kernel that is made for it.
// launch: as-launched
template <int B> __global__ void k(int *out) {
  __shared__ int s[B];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[blockIdx.x * B + t] = s[B - 1 - t];
}
void run(int *out, int blocks, int threads) {
  switch (threads) {
  case 64: k<64><<<blocks, threads>>>(out); break;
  case 128: k<128><<<blocks, threads>>>(out); break;
  case 256: k<256><<<blocks, threads>>>(out); break;
  }
}

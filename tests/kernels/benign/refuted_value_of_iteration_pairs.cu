// A barrier after each second iteration leaves an even and the following odd iteration without one.
// launch: grid=1 block=64 n=8
__global__ void k(unsigned char *out, int n) {
  for (int i = 0; i < n; i++) {
    out[blockIdx.x] = i;   // ~ HD0101
    if (i & 1) __syncthreads();
  }
}

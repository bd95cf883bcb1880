// Iterations without a barrier between them store one value.
// launch: grid=1 block=64 n=8
__global__ void k(unsigned char *out, int n) {
  for (int i = 0; i < n; i++) {
    out[blockIdx.x] = i >> 1;   // ~ HD0103
    if (i & 1) __syncthreads();
  }
}

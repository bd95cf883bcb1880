// A function of the host that calls itself chooses a buffer, which may be the other one.
// launch: as-launched
__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void steps(float *a, float *b, int blocks) {
  neighbours<<<blocks, 64>>>(a, b);
  if (blocks > 1)
    steps(blocks & 1 ? a : b, b, blocks / 2);
}

// A function of the host that calls itself gives one buffer twice in the third turn.
// launch: as-launched
__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void steps(float *a, float *b, float *c, int blocks) {
  neighbours<<<blocks, 64>>>(a, b);
  if (blocks > 1)
    steps(b, c, c, blocks / 2);
}

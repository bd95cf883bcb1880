// Two functions of the host call each other, and one of them gives the other one buffer twice.
// launch: as-launched
__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1]; // ~ HD0102
}

void odd(float *in, float *out, int blocks);

void even(float *in, float *out, int blocks) {
  neighbours<<<blocks, 64>>>(in, out);
  if (blocks > 2)
    odd(in, out, blocks / 2);
}

void odd(float *in, float *out, int blocks) {
  neighbours<<<blocks, 64>>>(in, out);
  if (blocks > 2)
    even(in + 64, in, blocks / 2);
}

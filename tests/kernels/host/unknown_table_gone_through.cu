// A loop goes through a table of two buffers by a pointer, and one of them is the other argument.
// launch: as-launched
__global__ void k(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void run(float *a, float *b) {
  float *table[] = {a, b};
  for (float *each : table)
    k<<<4, 256>>>(a, each);
}

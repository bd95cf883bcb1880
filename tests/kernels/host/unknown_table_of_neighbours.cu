// A loop goes through a table, and gives a kernel two neighbours of it, two of which are one buffer.
// launch: as-launched
__global__ void k(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void run(float *a, float *b) {
  float *table[] = {a, b, b};
  for (float **each = table; each != table + 2; ++each)
    k<<<4, 256>>>(each[0], each[1]);
}

// A loop stores one buffer at its place of a table, and gives a kernel that place and the one before.
// launch: as-launched
__global__ void k(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void run(float *a) {
  float *table[8];
  table[0] = a;
  for (float **each = table + 1; each != table + 8; ++each) {
    *each = a;
    k<<<4, 256>>>(each[-1], each[0]);
  }
}

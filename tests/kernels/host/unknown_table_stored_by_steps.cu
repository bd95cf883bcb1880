// One store fills a table by steps with one buffer, and a loop gives a kernel two neighbours of it.
// launch: as-launched
__global__ void k(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void run(float *a, int n) {
  float *table[8];
  for (float **each = table; each != table + 8; ++each)
    *each = a;
  for (float **each = table; each != table + n; ++each)
    k<<<4, 256>>>(each[0], each[1]);
}

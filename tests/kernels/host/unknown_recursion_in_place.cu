// A function of the host that calls itself gives the second level one buffer twice.
// launch: as-launched
__global__ void sums(const float *in, float *out) {
  float sum = 0;
  for (int n = 0; n < 256; n++) // ~ HD0002
    sum += in[blockIdx.x * 256 + n];
  out[blockIdx.x] = sum;
}

void levels(float *in, float *out, int blocks) {
  sums<<<blocks, 1>>>(in, out);
  if (blocks > 256)
    levels(out, out, blocks / 256);
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1 << 24);
  cudaMalloc(&out, 1 << 24);
  levels(in, out, 1 << 12);
}

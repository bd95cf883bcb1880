// A program's own table in constant memory, which its host part sets to what nobody knows.
// launch: as-launched
__constant__ int step[5] = {0, 1, 2, 3, 4};
__global__ void k(const float *in, float *out) {
  int x = threadIdx.x;
  for (int d = 0; d < 5; d++)
    out[d * 64 + (x * step[d]) % 64] = in[d * 64 + x] + x;  // ~ HD0101
}
int main(int argc, char **argv) {
  float *in, *out;
  int steps[5] = {argc, argc, argc, argc, argc};
  cudaMalloc(&in, 5 * 64 * sizeof(float));
  cudaMalloc(&out, 5 * 64 * sizeof(float));
  cudaMemcpyToSymbol(step, steps, sizeof steps);
  k<<<1, 64>>>(in, out);
  return 0;
}

// A table of a file that is no program: what holds its other parts may set it.
// launch: as-launched
__constant__ int step[5] = {1, 1, 1, 1, 1};
__global__ void k(const float *in, float *out) {
  int x = threadIdx.x;
  for (int d = 0; d < 5; d++)
    out[d * 64 + (x * step[d]) % 64] = in[d * 64 + x] + x;  // ~ HD0101
}
void run(const float *in, float *out) { k<<<1, 64>>>(in, out); }

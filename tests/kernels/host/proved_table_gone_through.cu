// A loop goes through tables of other buffers by a pointer: pairs that each have a buffer for either end.
// launch: as-launched
struct Pair {
  const float *in;
  float *out;
};

__global__ void k(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}

void run(float *a, float *b, float *c, float *d) {
  Pair pairs[] = {{a, b}, {c, d}};
  for (auto &each : pairs)
    k<<<4, 256>>>(each.out, each.in);
  const float *table[] = {b, c, d};
  for (auto each : table)
    k<<<4, 256>>>(a, each);
}

// Of a table of pairs that a loop goes through, the last pair has one buffer twice.
// launch: as-launched
struct Pair {
  const float *in;
  float *out;
};

__global__ void k(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void run(float *a, float *b, float *c) {
  Pair pairs[] = {{a, b}, {c, c}};
  for (auto &each : pairs)
    k<<<4, 256>>>(each.out, each.in);
}

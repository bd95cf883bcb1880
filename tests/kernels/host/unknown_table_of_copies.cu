// A table of two copies of one pair, of which a loop gives a kernel one member each.
// launch: as-launched
struct Pair {
  float *in;
  float *out;
  long more[8];
};

__global__ void k(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void run(float *a, float *b) {
  Pair pair = {a, b};
  Pair pairs[3];
  pairs[0] = pair, pairs[1] = pair, pairs[2] = pair;
  for (Pair *each = pairs; each != pairs + 2; ++each)
    k<<<4, 256>>>(each[0].in, each[1].in);
}

// Each of two buffers is chosen by a condition of its own: they may be one.
// launch: as-launched
struct Pair { int *a, *b; };
__global__ void k(int *in, int *out) {
  in[threadIdx.x] = 1;  // ~ HD0002
  out[63 - threadIdx.x] = threadIdx.x;
}
void run(Pair *pair, int x, int y) {
  int *in = x ? pair->a : pair->b, *out = y ? pair->a : pair->b;
  k<<<1, 64>>>(in, out);
}

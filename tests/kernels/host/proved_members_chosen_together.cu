// One condition chooses two buffers, and never the same for both.
// launch: as-launched
struct Pair { int *a, *b; };
__global__ void k(int *in, int *out) {
  in[threadIdx.x] = 1;
  out[63 - threadIdx.x] = threadIdx.x;
}
void run(Pair *pair, int x) {
  int *in = x ? pair->a : pair->b, *out = x ? pair->b : pair->a;
  k<<<1, 64>>>(in, out);
}

// Two elements of an array decide nothing where one thread is meant.
// launch: grid=1 block=64 infer
__global__ void k(int *out, const unsigned *in, int n) {
  int t = threadIdx.x;
  unsigned long long product = (unsigned long long)in[0] * in[1];
  bool composite = in[0] > 1 && in[1] > 1 && product == 2305843009213693951ull;
  if (t == 0 && (composite || t < n))
    out[0] = t;
}

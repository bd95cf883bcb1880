// No number is taken for a signed one: an index from 2^31 on is as good as another.
// launch: grid=1 block=64 assume="n == 4294967232"
__global__ void k(char *out, unsigned n) {
  unsigned i = n + threadIdx.x / 2;
  out[i] = threadIdx.x; // ~ HD0101
}

// For each size that is allowed the index of every thread but the first wraps around.
// launch: grid=1 block=64 assume="n >= 65536"
__global__ void k(int *out, unsigned n) {
  unsigned i = threadIdx.x;
  out[(i * n) * n & 0xfffff] = i; // ~ HD0101
}

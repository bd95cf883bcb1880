// A polynomial of each element.
// run: grid=1 block=32 gives 7 b67603 a2997 1dde133 503347 98f1 111f10b 1ab335 2852fdf 876b79 49e03 187cd17 3760b3 747 d75461 f66bb 21b61a5 63898f 16fe9 13cbc03 244a97 2d00633 a28547 76e43 1bdd36b 46a115 3f3f f7ab59 163003 25df217 79c1b3 30d47
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void polynomial(unsigned *out) {
  unsigned t = threadIdx.x;
  out[t] = (3 * x(t) + 5) * x(t) * x(t) + 7;
}

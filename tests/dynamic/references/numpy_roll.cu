// Elements turned by five.
// run: grid=1 block=32 gives af 4e ec 8a 28 0 9e 3c da 78 17 b5 53 f1 8f 2e cc 6a 8 a7 45 e3 81 1f be 5c fa 98 36 d5 73 11
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void roll(unsigned *out) {
  unsigned t = threadIdx.x;
  out[(t + 5) % 32] = x(t);
}

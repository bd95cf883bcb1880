// A product with an odd number permutes the indices modulo a power of two.
// launch: grid=1 block=64
__global__ void k(int *out) {
  unsigned t = threadIdx.x;
  out[t * 5 % 64] = t;
}

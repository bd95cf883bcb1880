// A rotation moves bits: what leaves on one side comes back on the other, and nothing wraps around.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned seed) {
  __shared__ int s;
  unsigned turned = __funnelshift_l(seed, seed, 11);
  if (turned > 5000 && turned % 128 == 5) s = threadIdx.x;  // ~ HD0101
  out[threadIdx.x] = 1;
}

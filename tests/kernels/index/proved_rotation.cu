// A rotation moves bits, and keeps how many of them are set.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned seed) {
  __shared__ int s;
  unsigned turned = (seed << 11) | (seed >> 21);
  if (__popc(turned) > 32) s = threadIdx.x;
  out[threadIdx.x] = 1;
}

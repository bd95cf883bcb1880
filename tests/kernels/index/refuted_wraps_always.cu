// The shift loses the highest bit in every run, so that no run is left where it does not.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  __shared__ int s;
  unsigned x = ((n & 7) | 0x80000000u) << 3;
  if (x < 100) s = threadIdx.x;            // ~ HD0101
  out[threadIdx.x] = 1;
}

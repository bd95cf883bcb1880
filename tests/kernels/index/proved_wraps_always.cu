// The shift loses the highest bit in every run, and leaves a number below 57.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  __shared__ int s;
  unsigned x = ((n & 7) | 0x80000000u) << 3;
  if (x > 56) s = threadIdx.x;
  out[threadIdx.x] = 1;
}

// A generator of random numbers shifts bits out of its state on purpose.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned state) {
  __shared__ int s;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  if (state > 0x40000000) s = threadIdx.x; // ~ HD0101
  out[threadIdx.x] = 1;
}

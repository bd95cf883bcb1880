// Whatever a generator of random numbers yields, its last eight bits are below 256.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned state) {
  __shared__ int s;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  if ((state & 255) > 255) s = threadIdx.x;
  out[threadIdx.x] = 1;
}

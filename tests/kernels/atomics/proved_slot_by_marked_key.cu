// What is stored has its lowest bit, which an empty slot has not.
// launch: grid=any block=any
__global__ void insert(unsigned *keys, int *values, const unsigned *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned slot = in[i] & 1023;
  if (atomicCAS(&keys[slot], 0u, in[i] << 1 | 1u) == 0u) values[slot] = i;
}

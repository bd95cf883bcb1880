// The key is not zero, and one more than it is.
// launch: grid=any block=any
__global__ void insert(unsigned *keys, int *values, const unsigned *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = in[i];
  if (key == 0) return;
  unsigned slot = key & 1023;
  if (atomicCAS(&keys[slot], 0u, key + 1) == 0u) values[slot] = i;  // ~ HD0101
}

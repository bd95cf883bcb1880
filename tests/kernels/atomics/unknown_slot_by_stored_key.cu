// The key goes through shared memory and is not zero, which is not followed there.
// launch: grid=any block=64
__global__ void insert(unsigned *keys, int *values, const unsigned *in) {
  __shared__ unsigned s[64];
  int t = threadIdx.x;
  s[t] = in[t] | 1u;
  unsigned slot = in[t] & 63;
  if (atomicCAS(&keys[slot], 0u, s[t]) == 0u) values[slot] = t;  // ~ HD0002
}

// No thread stores zero for its key, but the first one does so for another.
// launch: grid=any block=64
__global__ void insert(unsigned *keys, int *values, const unsigned *in) {
  __shared__ unsigned s[64];
  int t = threadIdx.x;
  s[t] = in[t] | 1u;  // ~ HD0101
  if (t == 0) s[1] = 0;  // ~ HD0101
  unsigned slot = in[t] & 63;
  if (atomicCAS(&keys[slot], 0u, s[t]) == 0u) values[slot] = t;  // ~ HD0101 HD0002
}

// A slot that is erased is empty again, so that a second thread may win it.
// launch: grid=any block=any
__global__ void insert(unsigned *keys, int *values, const unsigned *in, const int *erase, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = in[i];
  if (key == 0) return;
  unsigned slot = key & 1023;
  if (atomicCAS(&keys[slot], 0u, key) == 0u) values[slot] = i;  // ~ HD0002 HD0102
  if (erase[i]) atomicExch(&keys[slot], 0u);
}

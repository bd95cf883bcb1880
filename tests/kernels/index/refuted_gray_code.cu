// An or in the place of the exclusive or is no permutation.
// launch: grid=1 block=256
__global__ void k(int *out) {
  unsigned t = threadIdx.x;
  out[t | (t >> 1)] = t;   // ~ HD0101
}

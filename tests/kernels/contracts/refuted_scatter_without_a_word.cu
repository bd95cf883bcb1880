// Nothing is said of the permutation; the finding tells what could be.
// launch: grid=any block=any
__global__ void k(float *out, const int *perm, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[perm[i]] = i;   // ~ HD0101
}

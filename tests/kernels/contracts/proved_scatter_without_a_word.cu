// What the finding of the twin tells is said of the permutation.
// launch: grid=any block=any assume="injective(perm, n)"
__global__ void k(float *out, const int *perm, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[perm[i]] = i;
}

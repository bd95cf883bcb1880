// Numbers are added at places that an array gives, which may give one of them twice; the help says what could be said of it.
// launch: grid=any block=64
__global__ void k(const int *alive, float *acc, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    acc[alive[i]] += 1; // ~ HD0101
}

// Numbers are added at places that an array gives, none of them twice.
// launch: grid=any block=64 assume="injective(alive, n)"
__global__ void k(const int *alive, float *acc, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    acc[alive[i]] += 1;
}

// A block-stride loop gives each element to one thread while its counter stays far from the end of its type.
// launch: grid=1 block=any assume="n <= 2000000000"
__global__ void k(const int *in, int *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i];
}

// The lanes that a ballot names are those that come to the shuffle.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  int v = in[threadIdx.x];
  unsigned mask = __ballot_sync(0xffffffffu, threadIdx.x % 3 == 0);
  if (threadIdx.x % 3 == 0)
    v = __shfl_sync(mask, v, 0);
  __syncthreads();
  out[threadIdx.x] = v;
}

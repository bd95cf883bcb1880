// The first thread of the block hands on the mask of its own warp, which is not that of other warps.
// launch: grid=1 block=128
__global__ void k(const int *__restrict__ in, int *out) {
  __shared__ unsigned first;
  unsigned mask = __ballot_sync(~0u, in[threadIdx.x] > 0);
  if (threadIdx.x == 0)
    first = mask;
  __syncthreads();
  out[mask == first ? threadIdx.x : 128] = threadIdx.x;   // ~ HD0101
}

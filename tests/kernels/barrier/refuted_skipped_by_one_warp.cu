// One warp meets at a barrier of the whole block; the others come to the end without it.
// launch: grid=1 block=any
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (t < 32) {
    out[t] = t;
    __syncthreads();  // ~ HD0201
  }
}

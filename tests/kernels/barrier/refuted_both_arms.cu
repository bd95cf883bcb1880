// The two arms of a divergent branch wait at two different barriers.
// launch: grid=1 block=64
__global__ void k(int *out) {
  if (threadIdx.x & 1) {
    out[threadIdx.x] = 1;
    __syncthreads();   // ~ HD0201
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();   // ~ HD0201
  }
  out[threadIdx.x + 64] = 3;
}

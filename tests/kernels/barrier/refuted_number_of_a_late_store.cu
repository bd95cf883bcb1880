// The store that stays is another thread's, and then the first warp meets one barrier more.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ volatile int last;
  last = threadIdx.x; // ~ HD0101
  __syncthreads();
  if (last != 0 && threadIdx.x < 32)
    __syncthreads(); // ~ HD0201
  out[threadIdx.x] = last;
}

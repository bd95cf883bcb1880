// A condition that is uniform in each warp still splits the block at a barrier.
// launch: grid=1 block=128
__global__ void k(int *out) {
  if ((threadIdx.x / 32) % 2 == 0)
    __syncthreads();   // ~ HD0201
  out[threadIdx.x] = 1;
}

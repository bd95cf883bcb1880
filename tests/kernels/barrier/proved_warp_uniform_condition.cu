// A warp index computed from a single-warp block is the same for all of its threads.
// launch: grid=4 block=32
__global__ void k(int *out) {
  if ((threadIdx.x / 32) % 2 == 0)
    __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = 1;
}

// Half of each warp waits in a shuffle for the other half, which waits at the barrier.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int v = threadIdx.x;
  if ((threadIdx.x & 31) < 16)
    v = __shfl_sync(0xffffffffu, v, 0);  // ~ HD0002
  __syncthreads();
  out[threadIdx.x] = v;
}

// Half of each warp exchanges values among itself, before all meet at the barrier.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int v = threadIdx.x;
  if ((threadIdx.x & 31) < 16)
    v = __shfl_sync(0x0000ffffu, v, 0);
  __syncthreads();
  out[threadIdx.x] = v;
}

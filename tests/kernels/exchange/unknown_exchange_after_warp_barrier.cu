// The warp barriers of two halves are right; the shuffle after them names lanes that wait at the block's barrier.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int v = threadIdx.x;
  if ((threadIdx.x & 31) < 16)
    __syncwarp(0x0000ffffu);
  else
    __syncwarp(0xffff0000u);
  if ((threadIdx.x & 31) < 16)
    v = __shfl_sync(0xffffffffu, v, 0);  // ~ HD0002
  __syncthreads();
  out[threadIdx.x] = v;
}

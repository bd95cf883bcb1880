// One thread of each block stores the block's own index in the same cell.
// launch: grid=4 block=64
__global__ void k(unsigned *blocks) {
  if (threadIdx.x == 0)
    *blocks = blockIdx.x;   // ~ HD0102
}

// All threads of the grid store the number of blocks in the same cell.
// launch: grid=any block=any
__global__ void k(unsigned *blocks) {
  *blocks = gridDim.x;   // ~ HD0103
}

// Two tickets satisfy the test for the thread that writes the cell.
// launch: grid=1 block=64
__global__ void k(int *counter, int *out) {
  if (atomicAdd(counter, 1) >= 62)
    out[0] = threadIdx.x;   // ~ HD0101
}

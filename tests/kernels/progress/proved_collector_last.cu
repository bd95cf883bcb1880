// The block that has started last waits for all the others, which have started.
// launch: grid=3 block=64
__global__ void k(unsigned *ticket, int *done) {
  if (threadIdx.x != 0) return;
  unsigned mine = atomicAdd(ticket, 1);
  if (mine == gridDim.x - 1) {
    for (int b = 0; b < gridDim.x - 1; ++b) while (atomicAdd(&done[b], 0) == 0) {}   // ~ HD0501
  } else {
    atomicExch(&done[mine], 1);
  }
}

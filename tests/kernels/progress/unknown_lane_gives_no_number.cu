// The thread that polls gets a number of its warp before, whose mask names lanes that do not come.
// launch: grid=3 block=64
__global__ void k(int *ticket, int *ready, int *out) {
  int first = 0;
  if (threadIdx.x % 2 == 0)
    first = __shfl_sync(0xffffffffu, (int)threadIdx.x, 0); // ~ HD0002
  if (threadIdx.x == 0) {
    int mine = atomicAdd(ticket, 1) + first;
    while (atomicAdd(ready, 0) < mine) { // ~ HD0501
    }
    atomicAdd(ready, 1);
    out[blockIdx.x] = mine;
  }
}

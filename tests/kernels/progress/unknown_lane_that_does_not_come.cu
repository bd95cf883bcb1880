// The thread that polls waits for the lanes of its warp before, half of which do not come.
// launch: grid=3 block=64
__global__ void k(int *ticket, int *ready, int *out) {
  if (threadIdx.x % 2 == 0)
    __syncwarp(); // ~ HD0002
  if (threadIdx.x == 0) {
    int mine = atomicAdd(ticket, 1);
    while (atomicAdd(ready, 0) < mine) { // ~ HD0501
    }
    atomicAdd(ready, 1);
    out[blockIdx.x] = mine;
  }
}

// Two warps meet at a barrier of their own before one of them polls: it is named that barriers are uniform.
// launch: grid=3 block=64
__global__ void k(int *ticket, int *ready, int *out) {
  if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  if (threadIdx.x == 0) {
    int mine = atomicAdd(ticket, 1);
    while (atomicAdd(ready, 0) < mine) { // ~ HD0501
    }
    atomicAdd(ready, 1);
    out[blockIdx.x] = mine;
  }
}

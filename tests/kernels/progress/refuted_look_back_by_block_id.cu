// Each block waits for the one below it, which need not have started.
// launch: grid=3 block=64
__global__ void k(int *status) {
  int tile = blockIdx.x;
  if (threadIdx.x == 0) {
    if (tile > 0) while (atomicAdd(&status[tile - 1], 0) == 0) {}   // ~ HD0501
    atomicExch(&status[tile], 1);
  }
}

// Each block waits for the one below it, by volatile loads.
// launch: grid=any block=any passes=progress
__global__ void k(volatile int *status) {
  int tile = blockIdx.x;
  if (threadIdx.x == 0) {
    if (tile > 0) while (status[tile - 1] == 0) {}   // ~ HD0501
    __threadfence();
    status[tile] = 1;
  }
}

// A barrier of the grid that waits for blocks which cannot start before these end.
// run: grid=64 block=64 resident=8 | count=i32[1] | HD0503
// check: grid=any block=64 | HD0501
__global__ void k(int *count) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (*(volatile int *)count < (int)gridDim.x) {}
    __threadfence();
  }
  __syncthreads();
}

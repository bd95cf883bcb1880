// The first thread of each block draws a number for it.
// launch: grid=any block=any passes=races
__global__ void k(int *data, unsigned *next, volatile unsigned *serving) {
  unsigned mine = 0;
  if (threadIdx.x == 0) {
    mine = atomicAdd(next, 1);
    while (*serving != mine) {
    }
    __threadfence();
  }
  __syncthreads();
  data[threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    *serving = mine + 1;
  }
}

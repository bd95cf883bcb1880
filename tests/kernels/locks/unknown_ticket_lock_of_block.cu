// The number is kept in shared memory by the first thread of the block.
// launch: grid=any block=any passes=races
__global__ void k(int *data, unsigned *next, volatile unsigned *serving) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0) {
    mine = atomicAdd(next, 1);
    while (*serving != mine) {
    }
    __threadfence();
  }
  __syncthreads();
  data[threadIdx.x] += 1;   // ~ HD0002
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    *serving = mine + 1;
  }
}

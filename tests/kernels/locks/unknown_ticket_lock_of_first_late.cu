// Threads of the block go on before their number is served.
// launch: grid=any block=any passes=races
__global__ void k(int *data, unsigned *next, volatile unsigned *serving) {
  unsigned mine = 0;
  if (threadIdx.x == 0) {
    mine = atomicAdd(next, 1);
    while (*serving != mine) {
    }
    __threadfence();
  }
  data[threadIdx.x] += 1;   // ~ HD0002
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    *serving = mine + 1;
  }
}

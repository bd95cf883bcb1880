// A block takes the next task only once another has asked for it.
// launch: grid=3 block=64 passes=progress
__global__ void k(int *head, volatile int *go, int n) {
  __shared__ int task;
  if (threadIdx.x == 0) task = -1;
  if (blockIdx.x == 2 && threadIdx.x == 0) *go = 1;
  __syncthreads();
  while (true) {
    if (threadIdx.x == 0 && *go != 0) task = atomicAdd(head, 1); // ~ HD0002
    __syncthreads();
    int t = task;
    __syncthreads();
    if (t >= n) break;
  }
}

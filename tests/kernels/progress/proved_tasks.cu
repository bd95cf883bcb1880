// Blocks take tasks off a queue until there are none: each changes itself what it asks.
// launch: grid=any block=any passes=barrier-divergence,inter-block-race,progress
__global__ void k(int *head, int n, float *data) {
  __shared__ int task;
  while (true) {
    if (threadIdx.x == 0) task = atomicAdd(head, 1);
    __syncthreads();
    int t = task;
    __syncthreads();
    if (t >= n) break;
    atomicAdd(&data[t], 1.0f);
  }
}

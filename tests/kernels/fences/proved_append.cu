// Who finds a free word with a compare-and-swap takes the next place of a queue.
// launch: grid=4 block=64 passes=races
__global__ void k(int *seen, const int *next, int *count, int *queue, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && atomicCAS(&seen[next[i]], 0, 1) == 0) {
    int p = atomicAdd(count, 1);
    atomicExch(&queue[p], i);
  }
}

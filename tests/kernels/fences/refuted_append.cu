// The counter is read and written behind a compare-and-swap on another word, which orders nothing.
// launch: grid=4 block=64 passes=races
__global__ void k(int *seen, const int *next, int *count, int *queue, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && atomicCAS(&seen[next[i]], 0, 1) == 0) {
    int p = *count;
    *count = p + 1; // ~ HD0101
    atomicExch(&queue[p], i);
  }
}

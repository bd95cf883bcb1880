// A compare-and-swap that stores what it expects leaves the word to the next one.
// launch: grid=any block=any
__global__ void k(int *dist, int *visited, const int *edge, int *next, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && atomicCAS(&visited[edge[i]], 0, next[i]) == 0) dist[edge[i]] = i;   // ~ HD0101
}

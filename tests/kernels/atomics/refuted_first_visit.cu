// Who finds a mark writes as well.
// launch: grid=any block=any
__global__ void k(int *dist, int *visited, const int *edge, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && atomicCAS(&visited[edge[i]], 0, 1) == 1) dist[edge[i]] = i;   // ~ HD0101
}

// Of all threads that come to a vertex the one that marks it writes its distance.
// launch: grid=any block=any
__global__ void k(int *dist, int *visited, const int *edge, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && atomicCAS(&visited[edge[i]], 0, 1) == 0) dist[edge[i]] = i;
}

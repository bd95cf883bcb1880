// In a loop over edges, by exchange: one thread alone finds zero at a vertex.
// launch: grid=any block=any
__global__ void k(int *dist, int *visited, const int *edge, const int *row, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int e = row[i]; e < row[i + 1]; e++)
    if (!atomicExch(&visited[edge[e]], 1)) dist[edge[e]] = i;
}

// Two vertices have one distance: whoever marks either of them writes it.
// launch: grid=2 block=32
__global__ void k(int *dist, int *visited, const int *edge, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!atomicExch(&visited[edge[i]], 1)) dist[edge[i] / 2] = blockIdx.x;   // ~ HD0102
}

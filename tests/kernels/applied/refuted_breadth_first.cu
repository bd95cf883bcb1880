// Threads that find a new node in a breadth-first search mark it by their own index.
// launch: grid=1 block=128
__global__ void k(const int *start, const int *edge, const int *level, int *parent, int depth) {
  int node = threadIdx.x;
  if (level[node] != depth)
    return;
  for (int i = start[node]; i < start[node + 1]; i++)
    if (level[edge[i]] < 0)
      parent[edge[i]] = node;   // ~ HD0101
}

// All threads that find a new node in a breadth-first search mark it by the same value.
// launch: grid=any block=128
__global__ void k(const int *start, const int *edge, const int *level, int *next, unsigned nodes, int depth) {
  size_t node = (size_t)blockIdx.x * 128 + threadIdx.x;
  if (node >= nodes || level[node] != depth)
    return;
  for (int i = start[node]; i < start[node + 1]; i++)
    if (level[edge[i]] < 0)
      next[edge[i]] = depth + 1;   // ~ HD0103
}

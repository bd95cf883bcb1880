// Vertices of a frontier, each in it once, write the slots of their edges.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(int *next, const int *frontier, const int *edge, int n, int vertices) {
  heddle_injective(frontier, n);
  heddle_range(frontier, n, 0, vertices);
  heddle_sorted(edge, vertices + 1);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = frontier[i];
  for (int e = edge[v]; e < edge[v + 1]; e++) next[e] = v;
}

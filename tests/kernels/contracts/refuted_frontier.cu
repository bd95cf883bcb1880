// A vertex may be in the frontier twice.
// launch: grid=2 block=32 n=64 vertices=64
#include "heddle.h"
__global__ void k(int *next, const int *frontier, const int *edge, int n, int vertices) {
  heddle_range(frontier, n, 0, vertices);
  heddle_sorted(edge, vertices + 1);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = frontier[i];
  for (int e = edge[v]; e < edge[v + 1]; e++) next[e] = i;   // ~ HD0101
}

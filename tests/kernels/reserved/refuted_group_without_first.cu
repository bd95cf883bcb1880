// Lane zero reserves, if it is one of the group.
// launch: grid=any block=128
#include <cooperative_groups.h>
__device__ int slot(int *tail) {
  cooperative_groups::coalesced_group g = cooperative_groups::coalesced_threads();
  int first = 0;
  if ((threadIdx.x & 31) == 0)
    first = atomicAdd(tail, g.size());
  return g.shfl(first, 0) + g.thread_rank();
}
__global__ void keep(const int *__restrict__ in, int *out, int *tail, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] > 0)
      out[slot(tail)] = in[i];   // ~ HD0101
}

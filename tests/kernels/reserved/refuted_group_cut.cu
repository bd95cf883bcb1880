// One element less is reserved than the group has threads.
// launch: grid=1 block=64
#include <cooperative_groups.h>
__device__ int slot(int *tail) {
  cooperative_groups::coalesced_group g = cooperative_groups::coalesced_threads();
  int first = 0;
  if (g.thread_rank() == 0)
    first = atomicAdd(tail, g.size() - 1);
  return g.shfl(first, 0) + g.thread_rank();
}
__global__ void keep(const int *__restrict__ in, int *out, int *tail, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] > 0)
      out[slot(tail)] = in[i];   // ~ HD0101 HD0002
}

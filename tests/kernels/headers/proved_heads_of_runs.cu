// Neighbours' items are compared through lent memory, and differences taken through other memory.
// launch: grid=any block=96
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  typedef cub::BlockDiscontinuity<int, 96> Flags;
  typedef cub::BlockAdjacentDifference<int, 96> Differences;
  __shared__ Flags::TempStorage lent;
  __shared__ Differences::TempStorage lent_too;
  int items[2] = {in[threadIdx.x * 2], in[threadIdx.x * 2 + 1]}, head[2], tail[2], more[2];
  Flags(lent).FlagHeadsAndTails(head, tail, items, cub::Inequality());
  Differences(lent_too).SubtractLeft(items, more, [](int a, int b) { return a - b; });
  for (int n = 0; n < 2; ++n)
    out[blockIdx.x * 192 + threadIdx.x * 2 + n] = head[n] + tail[n] + more[n];
}

// Heads and tails are flagged one after the other in one memory, without a barrier between them.
// launch: grid=1 block=96
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  typedef cub::BlockDiscontinuity<int, 96> Flags;
  __shared__ Flags::TempStorage lent;
  int items[2] = {in[threadIdx.x * 2], in[threadIdx.x * 2 + 1]}, later[2], head[2], tail[2];
  for (int n = 0; n < 2; ++n)
    later[n] = items[n] + 1;
  Flags(lent).FlagHeads(head, items, cub::Inequality());
  Flags(lent).FlagTails(tail, later, cub::Inequality()); // ~ HD0101
  for (int n = 0; n < 2; ++n)
    out[threadIdx.x * 2 + n] = head[n] + tail[n];
}

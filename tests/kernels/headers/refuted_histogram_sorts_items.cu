// The histogram that sorts leaves the items sorted: a thread's places are not those of its own items any more.
// launch: grid=1 block=64
#include <cub/cub.cuh>
__global__ void k(unsigned *out) {
  typedef cub::BlockHistogram<int, 64, 1, 4> Histogram;
  __shared__ Histogram::TempStorage lent;
  __shared__ unsigned counts[4];
  unsigned t = threadIdx.x;
  int items[1] = {t < 32 ? 1 : 0};
  Histogram(lent).Histogram(items, counts);
  out[items[0] ? t : t + 32] = t; // ~ HD0101
}

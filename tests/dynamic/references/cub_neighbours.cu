// Heads and tails of runs, differences of neighbours, items of other threads, counts.
// run: grid=1 block=64 gives 2351d37f 223100f9 222100f9 191d00f9 23010039 223100f9 222100f9 191d00f9 23001f37 22201f06 22101f06 1900d306 23301f06 22201f06 22101f06 1901d30e 233100f9 222100f9 221d00f9 19010039 233100f9 222100f9 221d00f9 19001f37 23201f06 22101f06 2200d306 19301f06 23201f06 22101f06 2201d30e 193100f9 232100f9 221d00f9 22010039 193100f9 232100f9 221d00f9 22001f37 19201f06 23101f06 2200d306 22301f06 19201f06 23101f06 2201d30e 223100f9 192100f9 231d00f9 22010039 223100f9 192100f9 231d00f9 22001f37 22201f06 19101f06 2300d306 22301f06 22201f06 19101f06 2301d30e 223100f9 222100f9 191000f9
#include <cub/cub.cuh>
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 20 & 3; }
__global__ void neighbours(unsigned *out) {
  typedef cub::BlockDiscontinuity<int, 64> Flags;
  typedef cub::BlockAdjacentDifference<int, 64> Differences;
  typedef cub::BlockShuffle<int, 64> Shuffle;
  typedef cub::BlockHistogram<int, 64, 2, 4> Histogram;
  __shared__ Flags::TempStorage flags;
  __shared__ Differences::TempStorage left_memory, right_memory;
  __shared__ Shuffle::TempStorage shuffle;
  __shared__ Histogram::TempStorage histogram;
  __shared__ unsigned counts[4];
  unsigned t = threadIdx.x;
  int items[2] = {(int)x(2 * t), (int)x(2 * t + 1)}, head[2], tail[2], left[2], right[2], up[2] = {5, 5};
  auto less = [](int a, int b) { return a - b; };
  Flags(flags).FlagHeadsAndTails(head, tail, items, cub::Inequality());
  Differences(left_memory).SubtractLeft(items, left, less, 9);
  Differences(right_memory).SubtractRight(items, right, less);
  Shuffle(shuffle).Up(items, up);
  Histogram(histogram).Histogram(items, counts);
  __syncthreads();
  out[t] = head[0] | head[1] << 1 | tail[0] << 2 | tail[1] << 3 | (left[0] & 15) << 4 | (left[1] & 15) << 8 |
           (right[0] & 15) << 12 | (right[1] & 15) << 16 | up[0] << 20 | counts[t & 3] << 24;
}

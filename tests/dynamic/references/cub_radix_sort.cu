// A stable sort of keys and values by CUB, whose result is striped.
// run: grid=1 block=64 gives 78 4a13 1411c 22f66 2380a 3265d 37901 41d54 47042 5144b 55e39 56730 6027a 60b27 65571 74c15 8431e 93168 93a0c a285f a7b03 b1f4d b7256 c1644 c603b c6932 d047c d0d20 d5729 e4e73 f4517 10336a 103c0e 112a61 117d05 12214f 126b58 127446 13183d 136234 14067e 140f22 14592b 155075 163e19 16476c 173510 182c63 187f07 192351 196d5a 197648 1a113f 1a1a36 1a6424 1b082d 1b5b77 1c521b 1d406e 1d4912 1e375c 1f2e65 202509 206f53
#include <cub/cub.cuh>
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 20 & 0x3f; }
__global__ void sort(unsigned *out) {
  typedef cub::BlockRadixSort<unsigned, 64, 2, unsigned> Sort;
  __shared__ Sort::TempStorage lent;
  unsigned t = threadIdx.x, keys[2] = {x(2 * t), x(2 * t + 1)}, values[2] = {2 * t, 2 * t + 1};
  Sort(lent).SortBlockedToStriped(keys, values);
  out[t] = keys[0] << 16 | values[0] << 8 | values[1];
}

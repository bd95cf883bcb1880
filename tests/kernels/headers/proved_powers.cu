// Powers of whole numbers, pairs with a constructor, and vectors that are read anew.
// launch: grid=1 block=64
#include <cub/cub.cuh>
__global__ void k(float *out, const uint4 *in, const float2 *more, int n, float f, double d) {
  cub::KeyValuePair<int, float> best(threadIdx.x, f);
  uint4 four = __ldcv(in + threadIdx.x);
  float2 two = __ldcv(more + threadIdx.x);
  out[threadIdx.x] = pow(10000, f / 2) + pow(n, d) + pow(n, n) + pow(2.0f, 3u) + pow(f, n) + best.value + four.w + two.y;
}

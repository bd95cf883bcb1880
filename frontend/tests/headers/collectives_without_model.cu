// Collectives of a block whose barriers are not said, limits of numbers, and functions written as expressions.
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <thrust/functional.h>

struct Less {
  __device__ bool operator()(float a, float b) const { return a < b; }
};

__global__ void sorts(float *keys, int *values, unsigned int *counts) {
  typedef cub::BlockRadixSort<float, 128, 4, int> Sort;
  typedef cub::BlockMergeSort<float, 128, 4> Merge;
  typedef cub::BlockExchange<float, 128, 4> Exchange;
  typedef cub::BlockDiscontinuity<float, 128> Heads;
  typedef cub::BlockHistogram<unsigned char, 128, 4, 256> Count;
  __shared__ union {
    Sort::TempStorage sort;
    Merge::TempStorage merge;
    Exchange::TempStorage exchange;
    Heads::TempStorage heads;
    Count::TempStorage count;
  } lent;
  float key[4];
  int value[4], head[4];
  unsigned char bins[4] = {0, 1, 2, 3};
  __shared__ unsigned int histogram[256];
  for (int n = 0; n < 4; ++n) {
    key[n] = keys[threadIdx.x * 4 + n];
    value[n] = values[threadIdx.x * 4 + n];
  }
  Sort(lent.sort).SortDescending(key, value);
  Sort(lent.sort).SortBlockedToStriped(key, value, 0, 16);
  Merge(lent.merge).Sort(key, Less());
  Exchange(lent.exchange).StripedToBlocked(key, key);
  Heads(lent.heads).FlagHeads(head, key, Less());
  Count(lent.count).Histogram(bins, histogram);
  keys[threadIdx.x] = key[0] + value[0] + head[0] + cub::FpLimits<float>::Lowest() +
                      (float)cub::FpLimits<__half>::Max() + (float)cub::FpLimits<__nv_bfloat16>::Lowest();
  counts[threadIdx.x] = histogram[threadIdx.x];
}

template <class F> __global__ void maps(float *p, F f) { p[threadIdx.x] = f(p[threadIdx.x], 2.0f); }
void host(float *p, float by) {
  using namespace thrust::placeholders;
  maps<<<1, 64>>>(p, _1 * by + _2);
  maps<<<1, 64>>>(p, (_1 > 0.5f && _2 < by) - 1);
}

// Sums of runs of eight lanes, by flags that begin and that end them; the first lane of each run stores.
// launch: grid=4 block=128
#include <cub/cub.cuh>

__global__ void sums(float *out, const float *in) {
  typedef cub::WarpReduce<float> Warp;
  __shared__ typename Warp::TempStorage lent[4];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = Warp(lent[threadIdx.x / 32]).HeadSegmentedSum(in[i], threadIdx.x % 8 == 0);
  sum += Warp(lent[threadIdx.x / 32]).TailSegmentedSum(in[i], threadIdx.x % 8 == 7);
  if (threadIdx.x % 8 == 0)
    out[i / 8] = sum;
}

// A scan of one warp by raking is no barrier: lanes give each other their values by shuffles alone.
// launch: grid=1 block=32
#include <cub/cub.cuh>
typedef cub::BlockScan<int, 32> Scan;
__global__ void k(const int *in, int *out) {
  __shared__ Scan::TempStorage lent;
  __shared__ int shown[32];
  int upto;
  shown[threadIdx.x] = in[threadIdx.x]; // ~ HD0104
  Scan(lent).InclusiveSum(in[threadIdx.x], upto);
  out[threadIdx.x] = upto + shown[31 - threadIdx.x];
}

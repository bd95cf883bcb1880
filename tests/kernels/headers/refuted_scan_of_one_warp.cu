// A scan of one warp is no barrier: what lanes wrote before is not ordered with reads of others after it.
// launch: grid=1 block=32
#include <cub/cub.cuh>
typedef cub::BlockScan<int, 32> Scan;
__global__ void k(const int *in, int *out) {
  __shared__ Scan::TempStorage lent;
  __shared__ int own[32];
  own[threadIdx.x] = in[threadIdx.x];  // ~ HD0104
  int upto;
  Scan(lent).InclusiveSum(in[threadIdx.x], upto);
  out[threadIdx.x] = own[threadIdx.x ^ 1] + upto;
}

// Whether a scan of one warp is a barrier differs by algorithm, and is not said.
// launch: grid=1 block=32
#include <cub/cub.cuh>
typedef cub::BlockScan<int, 32> Scan;
__global__ void k(const int *in, int *out) {
  __shared__ Scan::TempStorage lent;
  int upto;
  Scan(lent).InclusiveSum(in[threadIdx.x], upto);  // ~ HD0001
  out[threadIdx.x] = upto;
}

// A scan of one warp by warps is a barrier, so what the threads stored before it is read after it.
// launch: grid=1 block=32
#include <cub/cub.cuh>
typedef cub::BlockScan<int, 32, cub::BLOCK_SCAN_WARP_SCANS> Scan;
__global__ void k(const int *in, int *out) {
  __shared__ Scan::TempStorage lent;
  __shared__ int shown[32];
  int upto;
  shown[threadIdx.x] = in[threadIdx.x];
  Scan(lent).InclusiveSum(in[threadIdx.x], upto);
  out[threadIdx.x] = upto + shown[31 - threadIdx.x];
}

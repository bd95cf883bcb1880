// The lanes meet after a scan of one warp, before they read what others wrote.
// launch: grid=1 block=32
#include <cub/cub.cuh>
typedef cub::BlockScan<int, 32> Scan;
__global__ void k(const int *in, int *out) {
  __shared__ Scan::TempStorage lent;
  __shared__ int own[32];
  own[threadIdx.x] = in[threadIdx.x];
  int upto;
  Scan(lent).InclusiveSum(in[threadIdx.x], upto);
  __syncwarp();
  out[threadIdx.x] = own[threadIdx.x ^ 1] + upto;
}

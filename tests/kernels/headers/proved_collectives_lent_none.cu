// Collectives that are lent no memory have one for each kind.
// launch: grid=any block=64
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  int sum = cub::BlockReduce<int, 64>().Sum(in[threadIdx.x]), upto[1] = {in[threadIdx.x]};
  cub::BlockScan<int, 64>().ExclusiveScan(upto, upto, 0, cub::Sum());
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum + upto[0];
}

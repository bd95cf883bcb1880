// A scan of the block goes on from what comes before it, which the first warp is asked for.
// launch: grid=any block=128 passes=races
#include <cub/cub.cuh>
struct Running {
  float so_far;
  __device__ float operator()(float all) {
    float before = so_far;
    so_far += all;
    return before;
  }
};
__global__ void k(const float *in, float *out, int rounds) {
  typedef cub::BlockScan<float, 128, cub::BLOCK_SCAN_WARP_SCANS> Scan;
  __shared__ typename Scan::TempStorage storage;
  Running running{0};
  for (int i = 0; i < rounds; i++) {
    int at = (blockIdx.x * rounds + i) * 128 + threadIdx.x;
    float value[1] = {in[at]};
    Scan(storage).InclusiveScan(value, value, cub::Sum(), running);
    out[at] = value[0];
    __syncthreads();
  }
}

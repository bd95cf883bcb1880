// The last copy of four numbers brings some that the tile has no place for.
// launch: grid=1 block=32 check-bounds
#include <cuda_pipeline.h>
__global__ void k(int *out, const int *in) {
  __shared__ alignas(16) int tile[120];
  __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[threadIdx.x * 4], 16); // ~ HD0301
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
